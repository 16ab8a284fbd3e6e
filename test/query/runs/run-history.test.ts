import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { findRun } from "../../../src/query/runs/find-run.ts";
import { historyOf } from "../../../src/query/runs/run-history.ts";
import { parentDeleted } from "../../support/facts/parent-facts.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { queuedJobSet, restartedJobSet, second } from "../../support/story/run-story.ts";

async function linesOf(facts: readonly Fact[], name: string): Promise<readonly string[]> {
  const wanted = { cluster: clusterOf("east"), namespace: "ml", kind: "jobset", name };
  const found = await findRun(await runPortsWith(facts), { scope: "everything", wanted });
  if (found.outcome !== "found") throw new Error(found.outcome);
  return historyOf(found.record).map(({ time, kind, object, detail }) =>
    [time.slice(14, 19), kind, object, ...(detail === undefined ? [] : [detail])].join(" "),
  );
}

describe("the history of a run", () => {
  it("has what happened to its objects and its Jobs, oldest first", async () => {
    const lines = await linesOf(restartedJobSet(), "train");
    expect(lines).toEqual([...lines].sort((a, b) => (a.slice(0, 5) < b.slice(0, 5) ? -1 : 0)));
    expect(lines).toEqual(
      expect.arrayContaining([
        "00:00 Created jobset/train",
        "00:00 JobCreated job/train-worker-0 worker",
        "00:12 Restarted jobset/train attempt 1",
        "00:12 Condition jobset/train RestartingJobSet True",
        "00:20 JobCreated job/train-worker-1 worker",
        "01:00 Condition jobset/train Completed True (AllJobsCompleted)",
      ]),
    );
    expect(lines.filter((line) => line.includes("JobCreated"))).toHaveLength(4);
    expect(lines.filter((line) => line.includes("JobFailed"))).toEqual([
      expect.stringMatching(/job\/train-worker-1 .* exited with code 3$/),
    ]);
  });

  it("has its Workload", async () => {
    expect(await linesOf(queuedJobSet(), "next")).toEqual([
      "00:01 Created jobset/next",
      "00:01 Created workload/jobset-next",
      "00:01 Condition workload/jobset-next QuotaReserved False (Pending)",
    ]);
  });

  it("ends with the deletion of its object", async () => {
    const deleted = { ...parentDeleted(second(90)), uid: "train-uid", runUid: "train-uid" };
    expect((await linesOf([...restartedJobSet(), deleted], "train")).at(-1)).toBe("01:30 Deleted jobset/train");
  });
});
