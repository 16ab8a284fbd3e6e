import { describe, expect, it } from "vitest";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { added, deleted, factsOf, toldOf } from "../../support/kubernetes/watch-objects.ts";

const at = (text: string): number => Date.parse(`2026-11-21T${text}Z`);
const involvedObject = { kind: "Job", namespace: "night", name: "report", uid: "j1", apiVersion: "batch/v1" };
const coreEvent = (more: object = {}) => ({
  kind: "Event",
  apiVersion: "v1",
  metadata: {
    name: "report.18ea",
    namespace: "night",
    uid: "e1",
    resourceVersion: "721",
    creationTimestamp: "2026-11-21T08:24:44Z",
  },
  involvedObject,
  reason: "SuccessfulCreate",
  message: "Created pod: report-2vxzf",
  source: { component: "job-controller" },
  firstTimestamp: "2026-11-21T08:24:44Z",
  lastTimestamp: "2026-11-21T08:24:59Z",
  count: 3,
  type: "Normal",
  eventTime: null,
  ...more,
});
const hint = {
  hintId: "e1",
  target: { kind: "Job", namespace: "night", name: "report", uid: "j1" },
  reason: "SuccessfulCreate",
  details: { about: "pod", name: "report-2vxzf" },
  source: "job-controller",
  type: "Normal",
  count: 3,
  firstAt: at("08:24:44"),
  lastAt: at("08:24:59"),
};

describe("an Event", () => {
  it("hints at the object that it is about", () => {
    expect(toldOf("EventHinted", added(coreEvent()))).toEqual([hint]);
    expect(factsOf(added(coreEvent()))[0]).toMatchObject({ resourceVersion: 721, at: at("08:24:59") });
  });

  it("is the same hint by the names of events.k8s.io", () => {
    const { kind, metadata, reason, type } = coreEvent();
    const event = {
      kind,
      apiVersion: "events.k8s.io/v1",
      metadata,
      reason,
      type,
      regarding: involvedObject,
      note: "Created pod: report-2vxzf",
      reportingController: "job-controller",
      deprecatedFirstTimestamp: "2026-11-21T08:24:44Z",
      deprecatedLastTimestamp: "2026-11-21T08:24:59Z",
      deprecatedCount: 3,
    };
    expect(toldOf("EventHinted", added(event))).toEqual([hint]);
  });

  it("is the same hint as kubernetes-event-exporter sends it: bare, without a kind, with more fields around it", () => {
    const { kind: _, apiVersion: __, ...body } = coreEvent();
    const sent = {
      ...body,
      clusterName: "prod",
      involvedObject: { ...involvedObject, labels: { app: "report" }, annotations: { secret: "x" }, deleted: false },
    };
    expect(toldOf("EventHinted", sent)).toEqual([hint]);
  });

  it("counts its series where it is one", () => {
    const event = coreEvent({
      count: undefined,
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: "2026-11-21T08:24:44.123456Z",
      series: { count: 7, lastObservedTime: "2026-11-21T08:26:00.000000Z" },
    });
    expect(toldOf("EventHinted", added(event))[0]).toMatchObject({
      count: 7,
      firstAt: at("08:24:44") + 123,
      lastAt: at("08:26:00"),
    });
  });

  it("about a Node is in no namespace", () => {
    const event = coreEvent({ involvedObject: { kind: "Node", name: "node-a", uid: "node-a" } });
    expect(toldOf("EventHinted", added(event))[0]?.target).toEqual({
      kind: "Node",
      namespace: "",
      name: "node-a",
      uid: "node-a",
    });
  });

  it.each([
    ["about something else", coreEvent({ involvedObject: { kind: "ReplicaSet", name: "web" } })],
    ["about nothing", coreEvent({ involvedObject: undefined })],
    ["about a name that can be none", coreEvent({ involvedObject: { kind: "Pod", name: "a/b" } })],
  ])("is ignored where it is %s", (_, event) => {
    expect(translate(added(event)).outcome).toBe("ignored");
  });

  it("is ignored when it is deleted, after an hour", () => {
    expect(translate(deleted(coreEvent())).outcome).toBe("ignored");
  });
});
