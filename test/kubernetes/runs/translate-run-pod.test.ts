import { describe, expect, it } from "vitest";
import { POD_RUN_KINDS, translateRunPod } from "../../../src/kubernetes/runs/translate-run-pod.ts";
import { addedKinds } from "../../../src/parents/kinds.ts";
import { podObject } from "../../support/kubernetes/watch-objects.ts";

const ALL = new Set(POD_RUN_KINDS);
const workflow = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "daily", uid: "wf-1", controller: true };
const pod = (metadata: object) => ({
  type: "ADDED",
  object: podObject({ metadata: { ownerReferences: [], labels: {}, ...metadata } }),
});
const airflow = { dag_id: "etl", task_id: "load", run_id: "r-1" };

describe("a Pod without a Job", () => {
  it("has facts about the run of its controller", () => {
    const labels = { "workflows.argoproj.io/workflow": "daily" };
    const found = translateRunPod(pod({ ownerReferences: [workflow], labels }), ALL);
    expect(found?.run).toEqual({
      key: "wf-1",
      namespace: "night",
      kind: "Workflow",
      name: "daily",
      uid: "wf-1",
      externalIds: {},
    });
    expect(new Set(found?.facts.map(({ jobUid }) => jobUid))).toEqual(new Set(["wf-1"]));
    expect(found?.facts.map(({ kind }) => kind)).toContain("PodCreated");
  });

  it("may be one of a Job of Volcano", () => {
    const controller = { ...workflow, apiVersion: "batch.volcano.sh/v1alpha1", kind: "Job", name: "mpi", uid: "v-1" };
    const labels = { "volcano.sh/job-name": "mpi", "volcano.sh/task-spec": "worker" };
    const found = translateRunPod(pod({ ownerReferences: [controller], labels }), ALL);
    expect(found?.run).toMatchObject({ key: "v-1", kind: "Job", name: "mpi", uid: "v-1" });
    expect(found?.facts.map(({ jobUid }) => jobUid)).toContain("v-1");
  });

  it("has those about the work of another system, by its first id", () => {
    expect(translateRunPod(pod({ labels: airflow }), ALL)?.run).toMatchObject({
      kind: "DagRun",
      name: "r-1",
      series: { kind: "DAG", name: "etl" },
      externalIds: { "airflow/dag_id": "etl" },
    });
  });

  it("belongs to another run of Airflow if its DAG is another one, whose run ids may be equal", () => {
    const keys = ["etl", "report"].map(
      (dag) => translateRunPod(pod({ labels: { ...airflow, dag_id: dag } }), ALL)?.run.key,
    );
    expect(new Set(keys).size).toBe(2);
  });

  it.each(["w".repeat(200), "daily report", "täglich/%#"])("has facts about a run that is named %j", (name) => {
    const found = translateRunPod(pod({ annotations: { "workflows.argoproj.io/workflow": name } }), ALL);
    expect(found?.run.name).toBe(name);
    expect(new Set(found?.facts.map(({ jobUid }) => jobUid))).toEqual(new Set([found?.run.key]));
  });

  it("has those about a run of an added kind", () => {
    const kinds = [{ kind: "Sweep", role: "run", when: ["sweep"], ids: { "acme/sweep": "sweep" } }] as const;
    const found = translateRunPod(pod({ labels: { sweep: "s-1" } }), new Set(["Sweep"]), addedKinds(kinds));
    expect(found?.run).toMatchObject({ kind: "Sweep", name: "s-1", externalIds: { "acme/sweep": "s-1" } });
  });

  it("ends with its DELETED event", () => {
    const event = { ...pod({ labels: airflow }), type: "DELETED" };
    expect(translateRunPod(event, ALL)?.facts.map(({ kind }) => kind)).toContain("PodDeleted");
  });

  it.each([
    ["a Pod of a Job", { type: "ADDED", object: podObject() }],
    ["a Pod that belongs to nothing", pod({})],
    ["a Pod of a controller that makes no runs", pod({ ownerReferences: [{ ...workflow, kind: "ReplicaSet" }] })],
    ["a Pod without a uid", pod({ labels: airflow, uid: "" })],
    ["another object", { type: "ADDED", object: { kind: "Job", metadata: { labels: airflow } } }],
    ["no object", {}],
  ])("is not %s", (_, event) => {
    expect(translateRunPod(event, ALL)).toBeUndefined();
  });

  it("is ignored if its kind is not asked for", () => {
    expect(translateRunPod(pod({ labels: airflow }), new Set(["Workflow"]))).toBeUndefined();
  });
});
