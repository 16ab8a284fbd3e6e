import { describe, expect, it } from "vitest";
import type { CaptureEvent } from "../../../src/kubernetes/watch/capture-event.ts";
import type { ResourceVersion } from "../../../src/job/model/order.ts";
import { kindOf, type WatchedResource } from "../../../src/kubernetes/connection/watched-resource.ts";
import { Inventory } from "../../../src/kubernetes/watch/inventory.ts";
import { ObservationTranslation } from "../../../src/kubernetes/watch/observation-translation.ts";
import { evictionRequest, jobObject, POD_UID, podObject } from "../../support/kubernetes/watch-objects.ts";

function openTranslation() {
  const reported: CaptureEvent[] = [];
  const inventory = new Inventory();
  const translation = new ObservationTranslation({ inventory, report: (event) => reported.push(event) });
  const kindsOf = (resource: WatchedResource, object: Readonly<Record<string, unknown>>, type = "ADDED" as const) =>
    translation.factsOf(kindOf(resource), { type, object }, 0)?.map(({ kind }) => kind);
  return { kindsOf, reported, inventory, translation };
}

/** An Event about the Pod of watch-objects.ts. */
function podEvent({ uid = "e1", count = 1, reason = "FailedMount" } = {}) {
  return {
    kind: "Event",
    apiVersion: "v1",
    metadata: { name: "report.1", namespace: "night", uid, resourceVersion: "716" },
    involvedObject: { kind: "Pod", namespace: "night", name: "report-2vxzf", uid: POD_UID },
    type: "Warning",
    reason,
    count,
    lastTimestamp: "2026-11-21T08:25:00Z",
  };
}

describe("an observation", () => {
  it("of a Job has its facts, and the inventory knows it", () => {
    const { kindsOf, inventory } = openTranslation();
    expect(kindsOf("pods", podObject())).toContain("PodCreated");
    expect(kindsOf("jobs", jobObject())).toContain("JobCreated");
    expect(inventory.jobsOfPod(POD_UID as Parameters<Inventory["jobsOfPod"]>[0])).toHaveLength(1);
  });

  it("of an object that is unrelated to Jobs is nothing", () => {
    const { kindsOf, reported } = openTranslation();
    expect(kindsOf("pods", podObject({ metadata: { ownerReferences: [], labels: {} } }))).toBeUndefined();
    expect(kindsOf("events", { ...podEvent(), type: "Normal", reason: "Pulled" })).toBeUndefined();
    expect(reported).toEqual([]);
  });

  it.each([
    [jobObject({ metadata: { uid: "" } }), "night/report"],
    [jobObject({ spec: { completions: -1 } }), "night/report"],
    [{ kind: "Job", metadata: {} }, "without a name"],
  ])("of an object that cannot be read has no facts, and is reported", (object, name) => {
    const { kindsOf, reported } = openTranslation();
    expect(kindsOf("jobs", object)).toEqual([]);
    expect(reported).toMatchObject([{ kind: "rejected", resource: "jobs", object: name }]);
  });
});

describe("an EvictionRequest", () => {
  it("waits until its Pod is known, follows it, and is not repeated", () => {
    const { kindsOf } = openTranslation();
    const requests = "evictionrequests.lifecycle.k8s.io";
    expect(kindsOf(requests, evictionRequest())).toEqual([]);
    expect(kindsOf("pods", podObject())?.slice(0, 2)).toEqual(["PodCreated", "EvictionObserved"]);
    expect(kindsOf(requests, evictionRequest({ metadata: { resourceVersion: "731" } }))).toEqual([]);
    expect(kindsOf(requests, evictionRequest({ spec: { intent: "Withdrawn" } }))).toEqual(["EvictionObserved"]);
  });

  it.each([
    ["of a Job's Pod, also after that vanished", podObject(), [{ kind: "EvictionObserved", deleted: true }]],
    ["of no other Pod", podObject({ metadata: { ownerReferences: [], labels: {} } }), []],
  ])("that a list lacks is deleted: %s", (_, pod, told) => {
    const { kindsOf, translation } = openTranslation();
    const stamp = { epoch: 0, resourceVersion: 900 as ResourceVersion, at: 5 };
    const requests = "evictionrequests.lifecycle.k8s.io";
    kindsOf("pods", pod);
    kindsOf(requests, evictionRequest());
    translation.missing("pods", new Set(), stamp);
    expect(translation.missing(requests, new Set(), stamp)).toMatchObject(told);
  });
});

describe("an Event about a Pod", () => {
  it("waits until its Pod is known, and follows it", () => {
    const { kindsOf } = openTranslation();
    expect(kindsOf("events", podEvent())).toEqual([]);
    expect(kindsOf("pods", podObject())?.slice(0, 2)).toEqual(["PodCreated", "EventHinted"]);
  });

  it("about a known Pod is a hint at once, and not again while it repeats", () => {
    const { kindsOf } = openTranslation();
    kindsOf("pods", podObject());
    expect(kindsOf("events", podEvent())).toEqual(["EventHinted"]);
    expect(kindsOf("events", podEvent())).toEqual([]);
    expect(kindsOf("events", podEvent({ uid: "e2" }))).toEqual(["EventHinted"]);
  });
});
