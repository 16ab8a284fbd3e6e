import { describe, expect, it } from "vitest";
import { runFindings } from "../../../src/explain/run/run-findings.ts";
import type { RunFact } from "../../../src/job/model/fact.ts";
import { deriveRun } from "../../../src/parents/run/derive-run.ts";
import type { RunJob } from "../../../src/parents/run/run-job.ts";
import { emptyRun, joinRunFacts } from "../../../src/explain/run/run-record.ts";
import { isTrue, parentDeleted, parentObserved } from "../../support/facts/parent-facts.ts";

const identity = { kind: "JobSet", name: "train" };
const job = (name: string, state: RunJob["state"]): RunJob => ({ uid: name, name, createdAt: 1_000, state });

function findingsOf(facts: readonly RunFact[], jobs: readonly RunJob[]) {
  const parent = joinRunFacts(emptyRun("js-1"), facts).parents.get("js-1");
  return runFindings({ identity, parent, derived: deriveRun({ parent, jobs }) });
}

const reported = (type: string, reason: string) =>
  parentObserved({ at: 5_000, conditions: [isTrue(type, 5_000, { reason })] });

describe("the findings of a run", () => {
  it("say that it was reported failed while all of its Jobs are complete", () => {
    expect(findingsOf([reported("Failed", "FailedJobs")], [job("a", "Complete"), job("b", "Complete")])).toEqual([
      {
        kind: "ContradictingStatus",
        message: "JobSet train reported Failed (FailedJobs), but all 2 of its Jobs are complete.",
        since: "1970-01-01T00:00:05Z",
        evidence: [
          {
            kind: "ParentObserved",
            time: "1970-01-01T00:00:05Z",
            resourceVersion: "6",
            object: "jobset/train",
            detail: "reported Failed (FailedJobs)",
          },
        ],
      },
    ]);
  });

  it("say that it was reported complete while one of its Jobs failed", () => {
    const [finding] = findingsOf(
      [reported("Completed", "AllJobsCompleted")],
      [job("a", "Complete"), job("b", "Failed")],
    );
    expect(finding?.message).toMatch(/^JobSet train reported Complete.*, but its Job b failed\.$/u);
  });

  it("are none where both agree, where Jobs still run, and where nothing was reported", () => {
    const failed = [reported("Failed", "FailedJobs")];
    expect(findingsOf(failed, [job("a", "Complete"), job("b", "Failed")])).toEqual([]);
    expect(findingsOf(failed, [job("a", "Complete"), job("b", "Running")])).toEqual([]);
    expect(findingsOf(failed, [])).toEqual([]);
    expect(findingsOf([reported("Completed", "AllJobsCompleted")], [job("a", "Complete")])).toEqual([]);
    expect(findingsOf([], [job("a", "Complete"), job("b", "Failed")])).toEqual([]);
    expect(findingsOf([parentObserved({ at: 2_000 }), parentDeleted(9_000)], [job("a", "Failed")])).toEqual([]);
  });
});
