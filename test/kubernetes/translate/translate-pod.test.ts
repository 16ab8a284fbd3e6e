import { describe, expect, it } from "vitest";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { running, second } from "../../support/story/pod-status.ts";
import {
  added,
  factsOf,
  JOB_UID,
  kindsOf,
  ownedByJob,
  POD_UID,
  podObject,
  toldOf,
} from "../../support/kubernetes/watch-objects.ts";

describe("a Pod that was just created", () => {
  const event = added(podObject());

  it("is created, tracked and observed", () => {
    expect(kindsOf(event)).toEqual(["PodCreated", "PodTracked", "PodObserved"]);
  });

  it("has the uid of its Job, its own uid and its order in every fact", () => {
    for (const fact of factsOf(event, { epoch: 3 })) {
      expect(fact).toMatchObject({
        epoch: 3,
        resourceVersion: 715,
        jobUid: JOB_UID,
        podUid: POD_UID,
        at: second("08:24:44"),
      });
    }
  });

  it("has its identity in PodCreated", () => {
    expect(toldOf("PodCreated", event)).toEqual([
      { namespace: "night", name: "report-2vxzf", createdAt: second("08:24:44"), containers: ["work"] },
    ]);
  });

  it("gives the same facts whenever it is translated", () => {
    expect(translate(event)).toEqual(translate(structuredClone(event)));
  });
});

describe("the Job of a Pod", () => {
  it.each([
    [
      "the controller that the Pod names",
      { ownerReferences: [ownedByJob()] },
      ["PodCreated", "PodTracked", "PodObserved"],
    ],
    [
      "the one its label names once the owner is gone",
      { ownerReferences: [] },
      ["PodCreated", "PodTracked", "PodObserved", "PodReleased"],
    ],
    [
      "the one its label of before 1.27 names",
      { ownerReferences: undefined, labels: { "controller-uid": JOB_UID } },
      ["PodCreated", "PodTracked", "PodObserved", "PodReleased"],
    ],
    [
      "the one its label names where the owner does not control it any more",
      { ownerReferences: [ownedByJob({ controller: false })] },
      ["PodCreated", "PodTracked", "PodObserved", "PodReleased"],
    ],
  ])("is %s", (_, metadata, kinds) => {
    expect(kindsOf(added(podObject({ metadata })))).toEqual(kinds);
  });

  it.each([
    ["of another kind", { ownerReferences: [ownedByJob({ kind: "ReplicaSet", apiVersion: "apps/v1" })] }],
    ["of another group", { ownerReferences: [ownedByJob({ apiVersion: "batch.volcano.sh/v1alpha1" })] }],
    ["there is none, and no label", { ownerReferences: [], labels: { app: "web" } }],
    ["there is none, and the label is no uid", { ownerReferences: [], labels: { "controller-uid": "not a uid" } }],
    ["there is no metadata worth the name", { ownerReferences: "many", labels: null }],
  ])("is unknown where its controller is %s", (_, metadata) => {
    expect(translate(added(podObject({ metadata })))).toMatchObject({
      outcome: "ignored",
      reason: "The Pod belongs to no Job.",
    });
  });

  it("is its owner even where the label names another Job", () => {
    const facts = factsOf(added(podObject({ metadata: { labels: { "controller-uid": "another" } } })));
    expect(facts[0]).toMatchObject({ jobUid: JOB_UID });
  });
});

describe("clocks that disagree", () => {
  it("give facts all the same: a kubelet an hour ahead only makes them later", () => {
    const status = { phase: "Running", containerStatuses: [running("work", "09:24:46")] };
    expect(factsOf(added(podObject({ status })))[0]).toMatchObject({ resourceVersion: 715, at: second("09:24:46") });
  });

  it("give facts even where an instant is extreme or invalid", () => {
    const status = {
      phase: "Running",
      startTime: "9999-12-31T23:59:59Z",
      containerStatuses: [{ name: "work", state: { running: { startedAt: "soon" } } }],
    };
    expect(factsOf(added(podObject({ status })))[0]?.at).toBe(Date.parse("9999-12-31T23:59:59Z"));
  });

  it("date a deletion with an extreme grace period in the past, in whole milliseconds", () => {
    const metadata = { deletionTimestamp: "2026-11-21T08:25:30Z", deletionGracePeriodSeconds: Number.MAX_SAFE_INTEGER };
    expect(Number.isSafeInteger(toldOf("PodDeletionRequested", added(podObject({ metadata })))[0]?.requestedAt)).toBe(
      true,
    );
  });
});
