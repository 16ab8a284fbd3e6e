import { describe, expect, it } from "vitest";
import { presentLineage } from "../../src/explain/present-lineage.ts";

const job = { namespace: "batch", name: "report", uid: "uid-1", createdAt: 0, labels: {} };

describe("the lineage in an answer", () => {
  it("has the Job itself as run if it is on its own", () => {
    expect(presentLineage(job)).toEqual({
      owners: [],
      run: { kind: "Job", name: "report", uid: "uid-1" },
      externalIds: {},
    });
  });

  it("has the due time of a CronJob's run as text, and the Job as run", () => {
    const owner = { kind: "CronJob", name: "nightly", uid: "c-1" };
    expect(presentLineage({ ...job, owner, scheduledAt: 60_000 })).toEqual({
      owners: [{ ...owner, namespace: "batch", by: "ownerReference" }],
      run: { kind: "Job", name: "report", uid: "uid-1" },
      series: { ...owner, dueAt: "1970-01-01T00:01:00Z" },
      externalIds: {},
    });
  });

  it("has the attempt of the run", () => {
    const labels = { "jobset.sigs.k8s.io/jobset-name": "train", "jobset.sigs.k8s.io/restart-attempt": "1" };
    const { run, owners } = presentLineage({ ...job, labels });
    expect(run).toEqual({ kind: "JobSet", name: "train", attempt: 1 });
    expect(owners).toEqual([{ kind: "JobSet", namespace: "batch", name: "train", by: "name" }]);
  });
});
