import { describe, expect, it } from "vitest";
import { isRunFact, type RunFact } from "../../../src/job/model/fact.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";

function translateStatus(event: unknown): readonly RunFact[] {
  const translated = translate(event);
  return translated.outcome === "translated" ? translated.facts.filter(isRunFact) : [];
}

const metadata = {
  name: "train",
  namespace: "ml",
  uid: "js-1",
  resourceVersion: "7",
  creationTimestamp: "2026-01-01T00:00:00Z",
};
const object = (kind: string, apiVersion: string, more: object) => ({
  type: "MODIFIED",
  object: { kind, apiVersion, metadata, ...more },
});
const condition = (type: string, message: string) => ({
  status: { conditions: [{ type, status: "True", reason: "R", message, lastTransitionTime: "2026-01-01T00:00:05Z" }] },
});
const conditionsOf = (event: unknown) =>
  translateStatus(event).flatMap((fact) => ("conditions" in fact ? fact.conditions : []));

const JOB_SET = "jobset.x-k8s.io/v1alpha2";
const KUEUE = "kueue.x-k8s.io/v1beta2";
const UID = "7272589a-4aaf-461c-b2d2-3a5612bce1f5";

describe("the status of what Jobs belong to", () => {
  it("has the fields that its kind names, and nothing else of the object", () => {
    const spec = { suspend: false, failurePolicy: { maxRestarts: 3 }, replicatedJobs: [{ name: "secret" }] };
    const [fact] = translateStatus(object("JobSet", JOB_SET, { spec, status: { restarts: 2 } }));
    expect(fact).toEqual({
      epoch: 0,
      resourceVersion: 7,
      at: Date.parse("2026-01-01T00:00:00Z"),
      kind: "ParentObserved",
      of: "JobSet",
      namespace: "ml",
      name: "train",
      uid: "js-1",
      runUid: "js-1",
      createdAt: Date.parse("2026-01-01T00:00:00Z"),
      labels: {},
      fields: { maxRestarts: "3", restarts: "2" },
      conditions: [],
    });
  });

  it("has the labels and annotations for Outlive, and no others that people set", () => {
    const event = object("JobSet", JOB_SET, {
      metadata: { ...metadata, labels: { team: "secret", "outlive.dev/team": "a" }, annotations: { note: "secret" } },
    });
    expect(translateStatus(event)).toMatchObject([{ labels: { "outlive.dev/team": "a" } }]);
    expect(JSON.stringify(translateStatus(event))).not.toContain("secret");
  });

  it("has the details of messages in place of their text", () => {
    const failed = "jobset failed due to one or more job failures (first failed job: train-worker-1)";
    expect(conditionsOf(object("JobSet", JOB_SET, condition("Failed", failed)))).toMatchObject([
      { details: { firstFailedJob: "train-worker-1" } },
    ]);
    const preempted = `Preempted to accommodate a workload (UID: ${UID}, JobUID: ${UID}) due to prioritization`;
    expect(conditionsOf(object("Workload", KUEUE, condition("Preempted", preempted)))).toMatchObject([
      { details: { workloadUid: UID, jobUid: UID } },
    ]);
    const quota =
      "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor spot, 2 more needed";
    expect(conditionsOf(object("Workload", KUEUE, condition("QuotaReserved", quota)))).toMatchObject([
      { details: { resource: "cpu", flavor: "spot" } },
    ]);
    expect(JSON.stringify(conditionsOf(object("Workload", KUEUE, condition("Evicted", "a secret"))))).not.toContain(
      "secret",
    );
  });

  it("is dated by the instants of its fields", () => {
    const status = { jobId: "a", startTime: "2026-01-01T00:01:00Z" };
    const [fact] = translateStatus(object("RayJob", "ray.io/v1", { status }));
    expect(fact?.at).toBe(Date.parse("2026-01-01T00:01:00Z"));
  });

  it("ends with the DELETED event", () => {
    const event = { ...object("JobSet", JOB_SET, {}), type: "DELETED" };
    expect(translateStatus(event).map(({ kind }) => kind)).toEqual(["ParentObserved", "ParentDeleted"]);
  });

  it("is read of a bare object, as in a list", () => {
    expect(translateStatus({ kind: "JobSet", apiVersion: JOB_SET, metadata })).toHaveLength(1);
  });

  it.each([
    ["another kind", object("Job", "batch/v1", {})],
    ["a Workload of another group", object("Workload", "scheduling.k8s.io/v1alpha1", {})],
    [
      "a JobSet without a uid",
      { type: "ADDED", object: { kind: "JobSet", apiVersion: JOB_SET, metadata: { name: "a" } } },
    ],
    ["no object", { type: "BOOKMARK" }],
    ["no JSON object", null],
  ])("is nothing for %s", (_, event) => {
    expect(translateStatus(event)).toEqual([]);
  });
});
