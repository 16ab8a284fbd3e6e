import { describe, expect, it } from "vitest";
import { answerRow } from "../../../src/query/runs/answer-row.ts";
import { parentObserved } from "../../support/facts/parent-facts.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { restartedJobSet, second } from "../../support/story/run-story.ts";
import { RunUnreadableError } from "../../../src/projection/run-state/run-state.ts";

const cluster = clusterOf("east");

async function rowsOf(facts: Parameters<typeof runPortsWith>[0]) {
  const { runs } = await runPortsWith(facts);
  const { rows } = await runs.list({ cluster, namespace: "ml" }, { limit: 10 });
  return rows.map((row) => ({ ...row, cluster }));
}

describe("the answer about a row", () => {
  it("is that of the run, as of the last observation", async () => {
    const [row] = await rowsOf(restartedJobSet());
    expect(row && answerRow(row)).toMatchObject({
      cluster: "east",
      kind: "JobSet",
      name: "train",
      verdict: { state: "Complete" },
      asOf: { time: "2026-01-01T00:01:00Z" },
    });
  });

  it("is absent for a Job on its own that Kueue admits", async () => {
    const owner = { apiVersion: "batch/v1", kind: "Job", name: "report", uid: "report-uid" };
    const said = { of: "Workload", name: "job-report", uid: "w-1", runUid: "report-uid", owner, at: second(1) };
    const rows = await rowsOf([parentObserved(said)]);
    expect(rows.map((row) => [row.name, answerRow(row)])).toEqual([["report", undefined]]);
  });

  it("is refused where the row is damaged", async () => {
    const [row] = await rowsOf(restartedJobSet());
    expect(() => row && answerRow({ ...row, summary: Uint8Array.of(1, 2, 3) })).toThrow(RunUnreadableError);
  });
});
