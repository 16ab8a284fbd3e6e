import { describe, expect, it } from "vitest";
import { ADDED_KINDS_MARK } from "../../../src/parents/added-kinds-mark.ts";
import { kindsOfJob } from "../../../src/parents/lineage.ts";
import { namedRunUid, runOfJob, workOf } from "../../../src/parents/run/run-uid.ts";

const job = (labels: Readonly<Record<string, string>>, more: object = {}) => ({
  namespace: "ml",
  name: "report",
  createdAt: 0,
  labels,
  ...more,
});

describe("the run of a Job", () => {
  it("has the uid of its controller, or of the object that a label names", () => {
    const owner = { kind: "JobSet", name: "train", uid: "js-1" };
    expect(runOfJob(job({}, { owner }))).toEqual({ uid: "js-1" });
    const labels = { "tekton.dev/taskRun": "build", "tekton.dev/taskRunUID": "tr-1" };
    expect(runOfJob(job(labels))).toEqual({ uid: "tr-1" });
  });

  it("is none for a Job on its own, and for one of a series", () => {
    const owner = { kind: "CronJob", name: "nightly", uid: "cj-1" };
    expect([runOfJob(job({})), runOfJob(job({}, { owner }))]).toEqual([undefined, undefined]);
  });

  it("is that of another system, by the first id of its kind", () => {
    const labels = { "dagster/run-id": "5f1a", "dagster/job": "load" };
    const named = { kind: "DagsterRun", name: "5f1a" };
    expect(runOfJob(job(labels))).toEqual({ uid: namedRunUid("ml", named), named });
  });

  it("is one for each DAG with the same run id", () => {
    const uids = ["a", "b"].map((dag) => runOfJob(job({ dag_id: dag, task_id: "t", run_id: "scheduled" }))?.uid);
    expect(new Set(uids).size).toBe(2);
  });

  it("is the Job itself for a hook of Helm", () => {
    const labels = { "helm.sh/hook": "pre-install", "app.kubernetes.io/instance": "shop" };
    expect(runOfJob(job(labels))).toBeUndefined();
    expect(workOf(kindsOfJob({ labels }))).toMatchObject({
      kind: "HelmHook",
      name: "shop",
    });
  });

  it("is one of several Jobs for an added kind without an object, unless each Job is one", () => {
    const sweep = { kind: "Sweep", ids: { "acme/sweep": "s-1" }, work: "s-1" };
    const named = { kind: "Sweep", name: "s-1" };
    const marks = { [ADDED_KINDS_MARK]: JSON.stringify([sweep]) };
    expect(runOfJob(job({}, { marks }))).toEqual({ uid: namedRunUid("ml", named), named });
    const alone = { [ADDED_KINDS_MARK]: JSON.stringify([{ ...sweep, alone: true }]) };
    expect(runOfJob(job({}, { marks: alone }))).toBeUndefined();
  });
});
