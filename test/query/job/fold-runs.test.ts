import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { RunAnswer } from "../../../src/explain/run/run-document.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { answersOf, foldFacts } from "../../../src/query/job/fold-facts.ts";
import { RunFold } from "../../../src/query/job/fold-runs.ts";
import { factsOf, jobObject, podObject } from "../../support/kubernetes/watch-objects.ts";

const NOW = Date.parse("2026-11-21T09:00:00Z");
const jobSetRef = {
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  name: "train",
  uid: "js-1",
  controller: true,
};
const labels = {
  "jobset.sigs.k8s.io/jobset-name": "train",
  "jobset.sigs.k8s.io/jobset-uid": "js-1",
  "jobset.sigs.k8s.io/replicatedjob-name": "worker",
  "jobset.sigs.k8s.io/restart-attempt": "0",
};
const child = (metadata: object = {}, status: object = {}) => ({
  type: "ADDED",
  object: jobObject({ metadata: { ownerReferences: [jobSetRef], labels, ...metadata }, status: { ...status } }),
});
const failedPod = {
  type: "ADDED",
  object: podObject({
    status: {
      phase: "Failed",
      containerStatuses: [
        { name: "work", restartCount: 0, state: { terminated: { exitCode: 3, finishedAt: "2026-11-21T08:25:00Z" } } },
      ],
    },
  }),
};
const BOUND = {
  nodeName: "node-a",
  containers: [{ name: "work", image: "work:1", resources: { requests: { cpu: "500m" } } }],
};
const failedAfter = (seconds: number) => ({
  type: "ADDED",
  object: podObject({
    spec: BOUND,
    status: {
      phase: "Failed",
      startTime: "2026-11-21T08:25:00Z",
      containerStatuses: [
        {
          name: "work",
          restartCount: 0,
          state: {
            terminated: {
              exitCode: 3,
              startedAt: "2026-11-21T08:25:00Z",
              finishedAt: `2026-11-21T08:25:${seconds}Z`,
            },
          },
        },
      ],
    },
  }),
});
const failed = {
  conditions: [
    { type: "Failed", status: "True", reason: "BackoffLimitExceeded", lastTransitionTime: "2026-11-21T08:25:01Z" },
  ],
};
const object = (kind: string, apiVersion: string, metadata: object, more: object = {}) => ({
  type: "ADDED",
  object: {
    kind,
    apiVersion,
    metadata: { namespace: "night", resourceVersion: "700", creationTimestamp: "2026-11-21T08:24:40Z", ...metadata },
    ...more,
  },
});
const jobSet = (metadata: object = {}, status: object = {}) =>
  object("JobSet", "jobset.x-k8s.io/v1alpha2", { name: "train", uid: "js-1", ...metadata }, { status });
const workloadOf = (owner: object, status: object = {}) =>
  object(
    "Workload",
    "kueue.x-k8s.io/v1beta1",
    { name: "w", uid: "w-1", ownerReferences: [{ ...owner, controller: true }] },
    { spec: { queueName: "main" }, status },
  );

async function fold(events: readonly object[]): Promise<{ jobs: readonly JobAnswer[]; runs: readonly RunAnswer[] }> {
  async function* batches(): AsyncGenerator<readonly Fact[]> {
    for (const event of events) yield factsOf(event);
  }
  const folded = await foldFacts(batches());
  const runs = new RunFold(folded.runs, folded.clusterContext);
  const jobs = [...answersOf(folded, { cluster: "east", now: NOW, pods: false, runs })];
  return { jobs, runs: [...runs.answers("east", NOW)] };
}

describe("the runs of a recording", () => {
  it("name who deleted them, as the audit log says", async () => {
    const request = {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      auditID: "a1",
      stage: "ResponseComplete",
      verb: "delete",
      user: { username: "alice" },
      objectRef: { resource: "jobsets", apiGroup: "jobset.x-k8s.io", namespace: "night", name: "train" },
      responseStatus: { code: 200 },
      requestReceivedTimestamp: "2026-11-21T08:26:00Z",
    };
    const { runs } = await fold([jobSet(), { ...jobSet({ resourceVersion: "701" }), type: "DELETED" }, request]);
    expect(runs).toMatchObject([{ name: "train", deletedBy: { actor: "alice", confidence: "certain" } }]);
  });

  it("are none for Jobs on their own", async () => {
    const { jobs, runs } = await fold([{ type: "ADDED", object: jobObject() }]);
    expect([jobs.length, runs]).toEqual([1, []]);
  });

  it("are final by the launcher of an object that is not watched", async () => {
    const mpiJob = { apiVersion: "kubeflow.org/v2beta1", kind: "MPIJob", name: "pi", uid: "mpi-1", controller: true };
    const keys = { "training.kubeflow.org/job-name": "pi", "training.kubeflow.org/job-role": "launcher" };
    const { runs } = await fold([child({ ownerReferences: [mpiJob], labels: keys }, failed), failedPod]);
    expect(runs).toMatchObject([
      {
        kind: "MPIJob",
        name: "pi",
        verdict: { state: "Failed", final: true, basis: "observed", since: "2026-11-21T08:25:01Z" },
        finishedAt: "2026-11-21T08:25:01Z",
        attempts: [{ state: "Failed", firstFailure: { exitCode: 3 } }],
      },
    ]);
  });

  it("have the first failure, its cause, and their Jobs by state", async () => {
    const ended = {
      conditions: [
        {
          type: "Failed",
          status: "True",
          reason: "FailedJobs",
          message: "jobset failed due to one or more job failures (first failed job: report)",
          lastTransitionTime: "2026-11-21T08:25:02Z",
        },
      ],
    };
    const { runs } = await fold([child({}, failed), failedPod, jobSet({}, ended)]);
    expect(runs).toMatchObject([
      {
        cluster: "east",
        namespace: "night",
        kind: "JobSet",
        name: "train",
        uid: "js-1",
        finishedAt: "2026-11-21T08:25:02Z",
        verdict: { state: "Failed", reason: "FailedJobs", final: true, basis: "both" },
        attempts: [
          {
            number: 0,
            state: "Failed",
            firstFailure: { job: "report", pod: "report-2vxzf", exitCode: 3, category: "application" },
            jobs: [{ name: "report", state: "Failed", role: "worker" }],
          },
        ],
        jobs: { total: 1, failed: 1, complete: 0 },
        cause: { job: "report", pod: "report-2vxzf", category: "application" },
      },
    ]);
  });

  it("have the sum of what their Jobs reserved, also until now", async () => {
    const uid = "0d7c2c4e-11aa-4b1c-8a55-2a3c6cfc2f10";
    const owner = { apiVersion: "batch/v1", kind: "Job", name: "other", uid, controller: true };
    const running = {
      type: "ADDED",
      object: podObject({
        metadata: { name: "other-x", uid: "e5d3c1fa-6f0b-4a0c-9a1e-4a5e0d3f7b11", ownerReferences: [owner] },
        spec: BOUND,
        status: {
          phase: "Running",
          startTime: "2026-11-21T08:59:50Z",
          containerStatuses: [
            { name: "work", restartCount: 0, state: { running: { startedAt: "2026-11-21T08:59:51Z" } } },
          ],
        },
      }),
    };
    const { runs } = await fold([child({}, failed), failedAfter(10), child({ name: "other", uid }), running]);
    expect(runs[0]?.usage).toMatchObject({
      pods: 2,
      podSeconds: { total: 20, failed: 10, startUp: 1, active: 9 },
      resources: { cpu: { total: 10, failed: 5 } },
    });
  });

  it("have no usage if that of a Job is not known", async () => {
    const earlier = failedAfter(10);
    async function* batches(): AsyncGenerator<readonly Fact[]> {
      for (const event of [child({}, failed), earlier]) {
        yield factsOf(event).filter(({ kind }) => kind !== "PodReserved");
      }
    }
    const folded = await foldFacts(batches());
    const runs = new RunFold(folded.runs, folded.clusterContext);
    const jobs = [...answersOf(folded, { cluster: "east", now: NOW, pods: false, runs })];
    const [run] = [...runs.answers("east", NOW)];
    expect([jobs.length, jobs[0]?.usage, run?.name, run?.usage]).toEqual([1, undefined, "train", undefined]);
  });

  it("are known by their Jobs alone, and then never final", async () => {
    const { runs } = await fold([child()]);
    expect(runs).toMatchObject([{ kind: "JobSet", name: "train", verdict: { final: false, basis: "observed" } }]);
  });

  it("are known by their parent alone, whose Jobs are gone", async () => {
    const { jobs, runs } = await fold([jobSet()]);
    expect(jobs).toEqual([]);
    expect(runs).toMatchObject([{ name: "train", jobs: { total: 0 }, attempts: [{ number: 0, jobs: [] }] }]);
  });

  it("belong to the outermost owner, which is observed on the object between", async () => {
    const trainJob = { apiVersion: "trainer.kubeflow.org/v1alpha1", kind: "TrainJob", name: "fit", uid: "t-1" };
    const owned = jobSet({ ownerReferences: [{ ...trainJob, controller: true }] });
    const { jobs, runs } = await fold([
      child(),
      owned,
      object("TrainJob", trainJob.apiVersion, { name: "fit", uid: "t-1" }),
    ]);
    expect(jobs[0]?.owners.map(({ kind, name }) => `${kind}/${name}`)).toEqual(["JobSet/train", "TrainJob/fit"]);
    expect(jobs[0]?.run).toEqual({ kind: "TrainJob", name: "fit", uid: "t-1", attempt: 0 });
    expect(runs.map(({ kind, jobs: { total } }) => [kind, total])).toEqual([["TrainJob", 1]]);
  });

  it("are joined by name where only some of their Jobs know the uid", async () => {
    const steps = { ...labels, "trainer.kubeflow.org/trainjob-ancestor-step": "trainer" };
    const trainJob = object("TrainJob", "trainer.kubeflow.org/v1alpha1", { name: "train", uid: "t-1" });
    const { runs } = await fold([child({ labels: steps }), trainJob]);
    expect(runs.map(({ kind, uid, jobs: { total } }) => [kind, uid, total])).toEqual([["TrainJob", "t-1", 1]]);
  });

  it("stay apart from two objects of their name", async () => {
    const orphan = child({ ownerReferences: [], labels: { "jobset.sigs.k8s.io/jobset-name": "train" } });
    const { runs } = await fold([jobSet(), jobSet({ uid: "js-2" }), orphan]);
    expect(runs.map(({ uid, jobs: { total } }) => [uid, total])).toEqual([
      ["js-1", 0],
      ["js-2", 0],
      [undefined, 1],
    ]);
  });

  it("have the series that their Jobs name, also if their parent was observed", async () => {
    const dag = { dag_id: "etl", task_id: "train", run_id: "r-1" };
    const { runs } = await fold([jobSet(), child({ labels: { ...labels, ...dag } })]);
    expect(runs[0]?.series).toEqual({ kind: "DAG", name: "etl" });
  });

  it("wait in the queue of their Workload, and so does a Job that Kueue admits by itself", async () => {
    const job = { apiVersion: "batch/v1", kind: "Job", name: "report", uid: "ca8e0acc-ce14-42ad-ad63-86bbb4cf14f3" };
    const { runs } = await fold([jobSet(), workloadOf(jobSetRef)]);
    expect(runs).toMatchObject([{ verdict: { state: "Queued" }, queue: { name: "main", admittedAt: [] } }]);
    const { jobs, runs: none } = await fold([{ type: "ADDED", object: jobObject() }, workloadOf(job)]);
    expect(jobs[0]?.queue).toMatchObject({
      name: "main",
      waits: [{ from: "2026-11-21T08:24:40Z", reason: "Pending" }],
    });
    expect(none).toEqual([]);
  });

  it("name who preempted them, if its Workload was observed", async () => {
    const uid = "7272589a-4aaf-461c-b2d2-3a5612bce1f5";
    const at = "2026-11-21T08:26:00Z";
    const message = `Preempted to accommodate a workload (UID: ${uid}, JobUID: js-2) due to prioritization`;
    const conditions = [
      { type: "Evicted", status: "True", reason: "Preempted", message, lastTransitionTime: at },
      { type: "Preempted", status: "True", reason: "InClusterQueue", message, lastTransitionTime: at },
    ];
    const other = object(
      "Workload",
      "kueue.x-k8s.io/v1beta2",
      { name: "w2", uid, ownerReferences: [{ ...jobSetRef, name: "urgent", uid: "js-2" }] },
      { spec: { queueName: "main" } },
    );
    const evicted = workloadOf(jobSetRef, { conditions });
    const [unknown] = (await fold([jobSet(), evicted])).runs;
    expect(unknown?.queue?.evictions).toMatchObject([{ at, reason: "Preempted", by: { kind: "Workload", uid } }]);
    const [known] = (await fold([jobSet(), evicted, other])).runs;
    expect(known?.queue?.evictions).toMatchObject([{ by: { kind: "JobSet", name: "urgent", uid: "js-2" } }]);
  });
});
