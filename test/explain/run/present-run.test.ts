import { describe, expect, it } from "vitest";
import { presentRun, type PresentedRun } from "../../../src/explain/run/present-run.ts";
import { deriveRun } from "../../../src/parents/run/derive-run.ts";
import type { RunJob } from "../../../src/parents/run/run-job.ts";

const jobs: readonly RunJob[] = Array.from({ length: 120 }, (_, index) => ({
  uid: `job-${index}`,
  name: `worker-${index}`,
  createdAt: index * 1_000,
  state: index === 0 ? "Failed" : "Complete",
}));
const run = (said: Partial<PresentedRun> = {}): PresentedRun => ({
  cluster: "east",
  now: 200_000,
  identity: { namespace: "ml", kind: "JobSet", name: "train" },
  parent: undefined,
  derived: deriveRun({ jobs }),
  jobs,
  answers: new Map(),
  completeness: { level: "complete", gaps: [] },
  parents: new Map(),
  ...said,
});

describe("the answer about a run", () => {
  it("shows at most 100 Jobs of an attempt, and counts all", () => {
    const answer = presentRun(run());
    expect(answer.attempts[0]?.jobs).toHaveLength(100);
    expect(answer.jobs).toEqual({
      total: 120,
      complete: 119,
      failed: 1,
      running: 0,
      waiting: 0,
      deleted: 0,
      unknown: 0,
    });
  });

  it("begins with its first Job if its parent was not observed", () => {
    expect(presentRun(run()).createdAt).toBe("1970-01-01T00:00:00Z");
  });

  it("has the ids that all of its Jobs have", () => {
    const answers = new Map([
      ["a", { externalIds: { "dagster/run-id": "r", "dagster/op": "x" } }],
      ["b", { externalIds: { "dagster/run-id": "r", "dagster/op": "y" } }],
    ]);
    expect(presentRun(run({ answers })).externalIds).toEqual({ "dagster/run-id": "r" });
  });
});
