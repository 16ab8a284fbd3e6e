import { describe, expect, it } from "vitest";
import { ADDED_KINDS_MARK } from "../../src/parents/added-kinds-mark.ts";
import type { RecognisedKind } from "../../src/parents/recognised-kind.ts";
import { type JobIdentity, lineageOf } from "../../src/parents/lineage.ts";

const job = (said: Partial<JobIdentity>): JobIdentity => ({ name: "report", createdAt: 0, labels: {}, ...said });
const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", name: "train", uid: "js-1" };
const jobSetLabels = {
  "jobset.sigs.k8s.io/jobset-name": "train",
  "jobset.sigs.k8s.io/jobset-uid": "js-1",
  "jobset.sigs.k8s.io/replicatedjob-name": "worker",
  "jobset.sigs.k8s.io/restart-attempt": "2",
};
const ofJobSet = { ...jobSet, by: "ownerReference", role: "worker" };

describe("what a Job belongs to", () => {
  it("is nothing for a Job on its own", () => {
    expect(lineageOf(job({ labels: { app: "report" } }))).toEqual({ owners: [], externalIds: {} });
  });

  it("is its controller, with what its labels say about it", () => {
    expect(lineageOf(job({ owner: jobSet, labels: jobSetLabels }))).toEqual({
      owners: [ofJobSet],
      run: ofJobSet,
      attempt: 2,
      externalIds: {},
    });
  });

  it("is known by the uid in a label without an owner reference", () => {
    const { owners } = lineageOf(job({ labels: jobSetLabels }));
    expect(owners).toEqual([{ kind: "JobSet", name: "train", uid: "js-1", by: "uid", role: "worker" }]);
  });

  it("is known by a name only where no key has a uid", () => {
    const labels = { "ray.io/originated-from-crd": "RayJob", "ray.io/originated-from-cr-name": "tune" };
    expect(lineageOf(job({ labels })).owners).toEqual([
      { kind: "RayJob", name: "tune", by: "name", role: "submitter" },
    ]);
  });

  it("has the outermost owner as run", () => {
    const labels = { ...jobSetLabels, "trainer.kubeflow.org/trainjob-ancestor-step": "trainer" };
    const { owners, run, attempt } = lineageOf(job({ owner: jobSet, labels }));
    expect(owners.map(({ kind }) => kind)).toEqual(["JobSet", "TrainJob"]);
    expect(run).toEqual({ kind: "TrainJob", name: "train", by: "name", role: "trainer" });
    expect(attempt).toBe(2);
  });

  it("is not the JobSet whose labels were copied to a Job of another controller", () => {
    const owner = { kind: "CronJob", name: "nightly", uid: "c-1" };
    const { owners, run, attempt } = lineageOf(job({ owner, labels: jobSetLabels }));
    expect(owners.map(({ kind }) => kind)).toEqual(["CronJob"]);
    expect([run, attempt]).toEqual([undefined, undefined]);
  });

  it("has a controller of an unknown kind as run", () => {
    const owner = { apiVersion: "acme.io/v1", kind: "Pipeline", name: "p", uid: "p-1" };
    expect(lineageOf(job({ owner })).run).toEqual({ ...owner, by: "ownerReference" });
  });

  it("takes a label of another kind of originator for no owner", () => {
    const labels = { "ray.io/originated-from-crd": "RayService", "ray.io/originated-from-cr-name": "serve" };
    expect(lineageOf(job({ labels })).owners).toEqual([]);
  });

  it("is a series and no run for the run of a CronJob", () => {
    const owner = { kind: "CronJob", name: "nightly", uid: "c-1" };
    expect(lineageOf(job({ owner, scheduledAt: 60_000 }))).toEqual({
      owners: [{ ...owner, by: "ownerReference" }],
      series: { ...owner, dueAt: 60_000 },
      externalIds: {},
    });
    expect(lineageOf(job({ owner, manual: true })).series).toEqual(owner);
  });

  it.each(["-1", "1.5", "two", "", "100000", "10000000000"])("has no attempt with the label %j", (text) => {
    const labels = { ...jobSetLabels, "jobset.sigs.k8s.io/restart-attempt": text };
    expect(lineageOf(job({ owner: jobSet, labels })).attempt).toBeUndefined();
  });

  it.each([
    [
      "Airflow",
      { dag_id: "etl", task_id: "load", run_id: "r-1", try_number: "2" },
      { "airflow/dag_id": "etl", "airflow/task_id": "load", "airflow/run_id": "r-1", "airflow/try_number": "2" },
      { kind: "DAG", name: "etl" },
    ],
    [
      "Dagster, without the person",
      { "dagster/run-id": "d-1", "dagster/job": "daily", "dagster/user": "ada" },
      { "dagster/run-id": "d-1", "dagster/job": "daily" },
      { kind: "DagsterJob", name: "daily" },
    ],
    [
      "a Helm hook",
      { "helm.sh/hook": "pre-upgrade", "app.kubernetes.io/instance": "shop" },
      { "helm/hook": "pre-upgrade", "helm/release": "shop" },
      { kind: "HelmHook", name: "report" },
    ],
    [
      "an Argo CD hook",
      { "argocd.argoproj.io/hook": "Sync", "argocd.argoproj.io/tracking-id": "checkout:batch/Job:shop/db" },
      { "argocd/hook": "Sync", "argocd/app": "checkout" },
      { kind: "ArgoCDHook", name: "report" },
    ],
    ["labels of a release without a hook", { "app.kubernetes.io/instance": "shop" }, {}, undefined],
    ["one of three labels of Airflow", { dag_id: "etl" }, {}, undefined],
  ])("has the ids of other systems: %s", (_, marks: Readonly<Record<string, string>>, externalIds, series) => {
    for (const said of [{ marks }, { labels: marks }]) {
      const lineage = lineageOf(job(said));
      expect(lineage.externalIds).toEqual(externalIds);
      expect(lineage.series).toEqual(series);
      expect(lineage.owners).toEqual([]);
    }
  });
});

const marks = (...kinds: readonly RecognisedKind[]) => ({ [ADDED_KINDS_MARK]: JSON.stringify(kinds) });

describe("what a Job belongs to by kinds that users have added", () => {
  const experiment = {
    kind: "Experiment",
    resource: "experiments.acme.io",
    name: "mnist",
    uid: "e-1",
    part: "trainer",
  };

  it("is in its mark", () => {
    const owner = { kind: "Experiment", name: "mnist", uid: "e-1", by: "uid", role: "trainer" };
    const said = { ...experiment, attempt: 1, ids: { "acme/trial": "7" }, series: { kind: "Study", name: "digits" } };
    expect(lineageOf(job({ marks: marks(said) }))).toEqual({
      owners: [owner],
      run: owner,
      attempt: 1,
      series: { kind: "Study", name: "digits" },
      externalIds: { "acme/trial": "7" },
    });
  });

  it.each([-1, 20_260_101])("has no attempt of number %d, which counts no restarts", (attempt) => {
    const said = { marks: marks({ kind: "Experiment", resource: "e.acme.io", name: "a", attempt }) };
    expect(lineageOf(job(said))).toMatchObject({ run: { kind: "Experiment", name: "a" } });
    expect(lineageOf(job(said))).not.toHaveProperty("attempt");
  });

  it("is above what built-in kinds say", () => {
    const { owners, run } = lineageOf(job({ owner: jobSet, labels: jobSetLabels, marks: marks(experiment) }));
    expect(owners.map(({ kind }) => kind)).toEqual(["JobSet", "Experiment"]);
    expect(run).toMatchObject({ kind: "Experiment", uid: "e-1" });
  });

  it("is a series, which owns no run, also as the controller of the Job", () => {
    const series: RecognisedKind = { kind: "Timetable", resource: "timetables.acme.io", role: "series", name: "daily" };
    expect(lineageOf(job({ marks: marks(series) }))).toEqual({
      owners: [],
      series: { kind: "Timetable", name: "daily" },
      externalIds: {},
    });
    const owner = { kind: "Timetable", name: "daily", uid: "t-1" };
    expect(lineageOf(job({ owner, marks: marks(series) }))).toEqual({
      owners: [],
      series: { kind: "Timetable", name: "daily", uid: "t-1" },
      externalIds: {},
    });
  });

  it("is not what a label with the key of the mark claims", () => {
    expect(lineageOf(job({ labels: marks(experiment) }))).toEqual({ owners: [], externalIds: {} });
  });

  it("is nothing for a mark that cannot be read", () => {
    expect(lineageOf(job({ marks: { [ADDED_KINDS_MARK]: "{" } }))).toEqual({ owners: [], externalIds: {} });
  });
});
