import { describe, expect, it } from "vitest";
import { POD_RUN_KINDS, translateRunPod } from "../../../src/kubernetes/runs/translate-run-pod.ts";
import { PodRunFold } from "../../../src/query/job/fold-pod-runs.ts";
import { RunFold } from "../../../src/query/job/fold-runs.ts";
import { podObject } from "../../support/kubernetes/watch-objects.ts";

const ended = (name: string, exitCode: number, op: string) =>
  endedPod(name, exitCode, { labels: { "dagster/run-id": "r-1", "dagster/op": op } });
const endedPod = (name: string, exitCode: number, metadata: object) => ({
  type: "MODIFIED",
  object: podObject({
    metadata: { name, uid: `uid-${name}`, ownerReferences: [], ...metadata },
    spec: { nodeName: "node-a" },
    status: {
      startTime: "2026-11-21T08:24:50Z",
      phase: exitCode === 0 ? "Succeeded" : "Failed",
      containerStatuses: [
        {
          name: "work",
          restartCount: 0,
          state: { terminated: { exitCode, startedAt: "2026-11-21T08:24:50Z", finishedAt: "2026-11-21T08:25:00Z" } },
        },
      ],
    },
  }),
});

function fold(events: readonly unknown[]) {
  const pods = new PodRunFold();
  for (const event of events) pods.add(translateRunPod(event, new Set(POD_RUN_KINDS)));
  const runs = new RunFold(new Map());
  const clusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };
  pods.addTo(runs, { cluster: "east", clusterContext, now: Date.parse("2026-11-21T09:00:00Z") });
  return [...runs.answers("east", Date.parse("2026-11-21T09:00:00Z"))];
}

describe("a run of Pods without Jobs", () => {
  it("is complete when all its Pods are, but not final", () => {
    expect(fold([ended("a", 0, "load"), ended("b", 0, "load")])).toMatchObject([
      {
        kind: "DagsterRun",
        name: "r-1",
        startedAt: "2026-11-21T08:24:50Z",
        verdict: { state: "Complete", final: false, basis: "observed" },
        externalIds: { "dagster/run-id": "r-1", "dagster/op": "load" },
        jobs: { total: 0 },
        usage: { pods: 2, podSeconds: { kept: 20 } },
      },
    ]);
  });

  it("has the first Pod that failed as cause, and only the ids that all its Pods have", () => {
    expect(fold([ended("a", 0, "load"), ended("b", 3, "train")])).toMatchObject([
      {
        verdict: { state: "Failed" },
        externalIds: { "dagster/run-id": "r-1" },
        cause: { pod: "b", category: "application", responsible: "program" },
      },
    ]);
  });

  it("is one for each DAG, although their run ids are equal", () => {
    const labels = { task_id: "load", run_id: "scheduled__2026-11-21" };
    const runs = fold(["etl", "report"].map((dag) => endedPod(dag, 0, { labels: { ...labels, dag_id: dag } })));
    expect(runs.map(({ series, externalIds }) => [series?.name, externalIds["airflow/dag_id"]])).toEqual([
      ["etl", "etl"],
      ["report", "report"],
    ]);
  });

  it("has the Pods that name its object, and those that name only its name", () => {
    const owner = { apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication", name: "pi", uid: "spark-1" };
    const driver = { apiVersion: "v1", kind: "Pod", name: "driver", uid: "uid-driver" };
    const labels = { "sparkoperator.k8s.io/app-name": "pi" };
    const runs = fold([
      endedPod("executor", 3, { labels, ownerReferences: [{ ...driver, controller: true }] }),
      endedPod("driver", 0, { labels, ownerReferences: [{ ...owner, controller: true }] }),
    ]);
    expect(runs).toMatchObject([{ uid: "spark-1", verdict: { state: "Failed" }, cause: { pod: "executor" } }]);
  });

  it("is none for Pods of no run", () => {
    expect(fold([{ type: "ADDED", object: podObject() }])).toEqual([]);
  });
});
