import { describe, expect, it } from "vitest";
import { RUN_STATUSES } from "../../../src/parents/status/statuses.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { factsOf, toldOf } from "../../support/kubernetes/watch-objects.ts";

const podGc = "system:serviceaccount:kube-system:pod-garbage-collector";
const objectRef = { resource: "pods", namespace: "night", name: "report-2vxzf", apiVersion: "v1" };
const auditEvent = (more: object = {}) => ({
  kind: "Event",
  apiVersion: "audit.k8s.io/v1",
  level: "RequestResponse",
  auditID: "7de39871",
  stage: "ResponseComplete",
  requestURI: "/api/v1/namespaces/night/pods/report-2vxzf",
  verb: "delete",
  user: { username: podGc, groups: ["system:serviceaccounts"] },
  sourceIPs: ["10.0.0.1"],
  userAgent: "kube-controller-manager/v1.24.17",
  objectRef,
  responseStatus: { metadata: {}, code: 200 },
  requestObject: { kind: "DeleteOptions", gracePeriodSeconds: 0 },
  responseObject: { kind: "Pod", metadata: { name: "report-2vxzf", uid: "p1", resourceVersion: "646" } },
  requestReceivedTimestamp: "2026-11-21T08:38:14.500000Z",
  stageTimestamp: "2026-11-21T08:38:14.700000Z",
  ...more,
});
const hint = {
  hintId: "7de39871#ResponseComplete",
  target: { kind: "Pod", namespace: "night", name: "report-2vxzf", uid: "p1" },
  verb: "delete",
  user: podGc,
  userAgent: "kube-controller-manager/v1.24.17",
  code: 200,
  requestedAt: Date.parse("2026-11-21T08:38:14.500Z"),
};

describe("an audit event of a deletion", () => {
  it("hints at the user, and at the deleted object by the uid in the response", () => {
    expect(toldOf("RequestHinted", auditEvent())).toEqual([hint]);
  });

  it("is ordered by the response's resourceVersion, otherwise first", () => {
    expect(factsOf(auditEvent())[0]).toMatchObject({
      resourceVersion: 646,
      at: Date.parse("2026-11-21T08:38:14.700Z"),
    });
    expect(factsOf(auditEvent({ responseObject: undefined }))[0]).toMatchObject({ resourceVersion: 1 });
  });

  it("takes the uid from the details of a Status", () => {
    const responseObject = { kind: "Status", metadata: {}, details: { name: "report-2vxzf", kind: "pods", uid: "p2" } };
    expect(toldOf("RequestHinted", auditEvent({ responseObject }))[0]?.target).toMatchObject({ uid: "p2" });
  });

  it("has no uid at level Metadata", () => {
    const { uid: _, ...target } = hint.target;
    expect(toldOf("RequestHinted", auditEvent({ level: "Metadata", responseObject: undefined }))[0]?.target).toEqual(
      target,
    );
  });

  it.each([404, 409, 403])("keeps the status %i of a refused request", (code) => {
    expect(toldOf("RequestHinted", auditEvent({ responseStatus: { code } }))[0]).toMatchObject({ code });
  });

  it("of a whole collection names the namespace only", () => {
    const event = auditEvent({
      verb: "deletecollection",
      objectRef: { resource: "jobs", apiGroup: "batch", namespace: "night" },
      responseObject: undefined,
    });
    expect(toldOf("RequestHinted", event)[0]).toMatchObject({
      verb: "deletecollection",
      target: { kind: "Job", namespace: "night", name: "" },
    });
  });

  it.each(RUN_STATUSES.map(({ resource, kind }) => [resource, kind] as const))(
    "hints at an object that runs are: of %s, a %s",
    (plural, kind) => {
      const [resource = "", ...group] = plural.split(".");
      const event = auditEvent({ objectRef: { ...objectRef, resource, apiGroup: group.join("."), name: "train" } });
      expect(toldOf("RequestHinted", event)).toEqual([{ ...hint, target: { ...hint.target, kind, name: "train" } }]);
    },
  );

  it.each([
    ["of a ReplicaSet", [{ kind: "ReplicaSet", name: "web", uid: "r1", controller: true }], "ignored"],
    ["of a Job", [{ apiVersion: "batch/v1", kind: "Job", name: "report", uid: "j1", controller: true }], "translated"],
    ["that lost its owner", [], "translated"],
  ])("is kept unless the response shows a Pod of another controller: a Pod %s", (_, ownerReferences, outcome) => {
    const metadata = { name: "report-2vxzf", uid: "p1", resourceVersion: "646", ownerReferences };
    expect(translate(auditEvent({ responseObject: { kind: "Pod", metadata } })).outcome).toBe(outcome);
  });

  it("is read the same inside a watch event", () => {
    expect(toldOf("RequestHinted", { type: "ADDED", object: auditEvent() })).toEqual([hint]);
  });
});

describe("an audit event of an eviction", () => {
  it("hints at it, though it creates and does not delete", () => {
    const event = auditEvent({
      verb: "create",
      objectRef: { ...objectRef, subresource: "eviction" },
      user: { username: "drainer" },
      responseStatus: { code: 201 },
    });
    expect(toldOf("RequestHinted", event)[0]).toMatchObject({
      verb: "create",
      subresource: "eviction",
      user: "drainer",
      code: 201,
    });
  });
});

describe("an audit event without a deletion", () => {
  it.each([
    ["another stage", { stage: "RequestReceived" }],
    ["another verb", { verb: "patch" }],
    ["a creation", { verb: "create" }],
    ["another resource", { objectRef: { ...objectRef, resource: "secrets" } }],
    ["a resource of another group", { objectRef: { ...objectRef, resource: "workflows", apiGroup: "example.com" } }],
    ["a Workload", { objectRef: { ...objectRef, resource: "workloads", apiGroup: "kueue.x-k8s.io" } }],
    ["a subresource", { objectRef: { ...objectRef, subresource: "status" } }],
    ["a dry run, by its options", { requestObject: { kind: "DeleteOptions", dryRun: ["All"] } }],
    ["a dry run, by its URL", { requestURI: "/api/v1/namespaces/night/pods/report-2vxzf?dryRun=All" }],
  ])("is ignored: %s", (_, more) => {
    expect(translate(auditEvent(more)).outcome).toBe("ignored");
  });
});

describe("an audit event that cannot be read", () => {
  it.each([
    ["auditID", { auditID: undefined }],
    ["requestReceivedTimestamp", { requestReceivedTimestamp: "yesterday" }],
    ["objectRef", { objectRef: { ...objectRef, name: "a/b" } }],
  ])("is rejected for its %s", (path, more) => {
    const translated = translate(auditEvent(more));
    expect(translated).toMatchObject({ outcome: "rejected", problems: [{ path }] });
  });
});
