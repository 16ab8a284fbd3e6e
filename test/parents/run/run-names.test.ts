import { describe, expect, it } from "vitest";
import { canBeRunKind, isOfKind, isRunNamed, isWorkNamed } from "../../../src/parents/run/run-names.ts";

describe("the name of a kind", () => {
  it.each(["jobset", "JobSet", "jobsets", "jobsets.jobset.x-k8s.io", "jobset.jobset.x-k8s.io"])("is %s", (wanted) => {
    expect(isOfKind("JobSet", wanted)).toBe(true);
  });

  it("is its own for a kind that is not known", () => {
    expect([isOfKind("FooJob", "foojob"), isOfKind("FooJob", "foojobs"), isOfKind("JobSet", "job")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("the kind of a stored run", () => {
  it.each(["jobset", "JobSets", "rayjobs.ray.io", "dagrun", "Sweep"])("may be %s", (kind) => {
    expect(canBeRunKind(kind)).toBe(true);
  });

  it.each([
    ["a Job on its own", "job"],
    ["what has Pods only", "jobs.batch.volcano.sh"],
    ["what makes runs", "CronJob"],
    ["what makes runs", "raycronjobs.ray.io"],
    ["that of a Job which is a run of its own", "HelmHook"],
    ["the resource of a kind that is not built in", "sweeps.acme.io"],
    ["a run", "jobset/train"],
    ["nothing", ""],
  ])("is not %s: %j", (_, kind) => {
    expect(canBeRunKind(kind)).toBe(false);
  });
});

describe("a run", () => {
  const run = { kind: "JobSet", name: "train", uid: "js-1" };

  it.each(["train", "js-1", "jobset/train", "jobsets.jobset.x-k8s.io/train"])("is named by %s", (wanted) => {
    expect(isRunNamed(run, wanted)).toBe(true);
  });

  it.each(["rayjob/train", "jobset/other", "/train", "jobset"])("is not named by %s", (wanted) => {
    expect(isRunNamed(run, wanted)).toBe(false);
  });
});

describe("the work of another system", () => {
  const ids = { "airflow/run_id": "daily/1", "airflow/dag_id": "load", "helm/release": "shop", "spark/app-id": "s" };

  it.each(["dagrun/daily/1", "DagRun/daily/1"])("is named by %s", (wanted) => {
    expect(isWorkNamed(ids, wanted)).toBe(true);
  });

  it.each([
    ["another id", "dagrun/load"],
    ["a kind whose Jobs are runs of their own", "helmhook/shop"],
    ["a kind with an object", "sparkapplication/s"],
    ["a name alone", "daily/1"],
  ])("is not named by %s: %s", (_, wanted) => {
    expect(isWorkNamed(ids, wanted)).toBe(false);
  });
});
