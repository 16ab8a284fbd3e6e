import type { Fact, JobCreated, ParentObserved, RunFact } from "../../../src/job/model/fact.ts";
import { isTrue, parentObserved } from "../facts/parent-facts.ts";
import { Story } from "./story.ts";

const BEGAN = Date.parse("2026-01-01T00:00:00Z");

/** The instant so many seconds after the beginning. */
export function second(seconds: number): number {
  return BEGAN + seconds * 1_000;
}

interface RunNames {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
}

/**
 * JobSet "train" of two Jobs: in the first attempt, worker-1 exits with code 3; the JobSet restarts its Jobs, and the
 * second attempt completes after a minute. Names determine uids.
 */
export function restartedJobSet({
  name = "train",
  namespace = "ml",
  uid = `${name}-uid`,
}: RunNames = {}): readonly Fact[] {
  const set = (seconds: number, said: Partial<ParentObserved>): RunFact =>
    parentObserved({ at: second(seconds), createdAt: second(0), name, namespace, uid, runUid: uid, ...said });
  const jobs = [0, 1].flatMap((attempt) =>
    [0, 1].flatMap((worker) => workerFacts({ name, namespace, uid }, { attempt, worker })),
  );
  return [
    set(0, { fields: { restarts: "0" } }),
    set(12, { fields: { restarts: "1" }, conditions: [isTrue("RestartingJobSet", second(12))] }),
    ...jobs,
    set(60, {
      fields: { restarts: "1" },
      conditions: [isTrue("Completed", second(60), { reason: "AllJobsCompleted" })],
    }),
  ];
}

/** JobSet "broken" whose only attempt fails as the first one of {@link restartedJobSet} does. */
export function failedJobSet(namespace = "ml"): readonly Fact[] {
  const names = { name: "broken", namespace, uid: "broken-uid" };
  const set = (seconds: number, said: Partial<ParentObserved>): RunFact =>
    parentObserved({ at: second(seconds), createdAt: second(0), runUid: names.uid, ...names, ...said });
  return [
    set(0, {}),
    ...[0, 1].flatMap((worker) => workerFacts(names, { attempt: 0, worker })),
    set(12, { conditions: [isTrue("Failed", second(12), { reason: "FailedJobs" })] }),
  ];
}

/**
 * TrainJob "fit" whose JobSet completes as {@link restartedJobSet} does. After that, the TrainJob fails by its
 * deadline. Kueue admits the TrainJob.
 */
export function failedTrainJob(namespace = "ml"): readonly Fact[] {
  const owner = { apiVersion: "trainer.kubeflow.org/v1alpha1", kind: "TrainJob", name: "fit", uid: "fit-uid" };
  const base = { namespace, runUid: owner.uid, createdAt: second(-1) };
  const trainJob = { ...base, of: owner.kind, name: owner.name, uid: owner.uid };
  const failed = isTrue("Failed", second(70), { reason: "DeadlineExceeded" });
  return [
    parentObserved({ ...trainJob, at: second(-1) }),
    parentObserved({
      ...base,
      of: "Workload",
      name: "trainjob-fit",
      uid: "fit-workload-uid",
      at: second(1),
      owner,
      fields: { queueName: "main" },
      conditions: [isTrue("QuotaReserved", second(1)), isTrue("Admitted", second(1))],
    }),
    ...restartedJobSet({ namespace }).map((fact) => (fact.kind === "ParentObserved" ? { ...fact, owner } : fact)),
    parentObserved({ ...trainJob, at: second(70), conditions: [failed] }),
  ];
}

interface Worker {
  readonly attempt: number;
  readonly worker: number;
}

function workerFacts({ name, namespace, uid }: Required<RunNames>, { attempt, worker }: Worker): readonly Fact[] {
  const story = new Story(`${name}-worker-${worker}-${attempt}`, new Date(second(attempt * 20)).toISOString());
  const labels = {
    "jobset.sigs.k8s.io/jobset-name": name,
    "jobset.sigs.k8s.io/jobset-uid": uid,
    "jobset.sigs.k8s.io/replicatedjob-name": "worker",
    "jobset.sigs.k8s.io/restart-attempt": `${attempt}`,
  };
  const owner = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", name, uid };
  story.jobCreated({ backoffLimit: 0 }, { name: `${name}-worker-${worker}`, namespace, labels, owner });
  if (attempt === 0 && worker === 1) {
    story.podFails("a", 3, 10);
    story.jobFinished("Failed", "BackoffLimitExceeded");
  } else if (attempt === 0) {
    story.podCreated("a", { namespace });
    story.podStarted("a");
    story.podDeleted("a");
    story.jobDeleted();
  } else {
    story.podSucceeds("a", 30, { namespace });
    story.jobFinished("Complete");
  }
  story.podReserved("a");
  return story.facts.map((fact) => (fact.kind === "PodCreated" ? { ...fact, namespace } : fact));
}

/** JobSet "next" that waits in a queue of Kueue since its creation. */
export function queuedJobSet(namespace = "ml"): readonly Fact[] {
  const uid = "next-uid";
  const workload = parentObserved({
    of: "Workload",
    name: "jobset-next",
    namespace,
    uid: "next-workload-uid",
    runUid: uid,
    at: second(5),
    createdAt: second(1),
    owner: { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", name: "next", uid },
    fields: { queueName: "main" },
    conditions: [{ type: "QuotaReserved", status: "False", reason: "Pending", lastTransitionAt: second(1) }],
  });
  const set = parentObserved({ name: "next", namespace, uid, runUid: uid, at: second(5), createdAt: second(1) });
  return [set, workload];
}

/** A Job of a run of Dagster, which has no object in the cluster. */
export function dagsterJob(runId: string, namespace = "data"): readonly Fact[] {
  return jobOfWork(`dagster-run-${runId}`, { namespace, labels: { "dagster/run-id": runId, "dagster/job": "load" } });
}

/** A Job with what it says about the work of another system, which completes. */
export function jobOfWork(name: string, said: Partial<JobCreated>): readonly Fact[] {
  const story = new Story(name);
  const { namespace = "data" } = said;
  story.jobCreated({}, { ...said, namespace });
  story.podSucceeds("a", 5, { namespace });
  story.jobFinished("Complete");
  return story.facts;
}
