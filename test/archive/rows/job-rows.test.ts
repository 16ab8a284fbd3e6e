import { describe, expect, it } from "vitest";
import { COLUMNS, jobRows } from "../../../src/archive/rows/job-rows.ts";
import { loadListedJob } from "../../../src/query/job/load-job.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import {
  ArchiveScene,
  EIGHT,
  endedJob,
  HOUR,
  jobDeleted,
  jobEnd,
  MINUTE,
  startedJob,
} from "../../support/archive/archive-scene.ts";
import { jobUid } from "../../support/facts/names.ts";
import { collect } from "../../support/running/collect.ts";

const story = { name: "report", createdAt: EIGHT };

async function rowsOf(facts: readonly Fact[], isTouched = true) {
  const scene = new ArchiveScene();
  await scene.tracker.tell(facts, EIGHT + HOUR);
  const loaded = await loadListedJob(scene.tracker.ports, { cluster: scene.cluster, jobUid: jobUid("report") });
  if (loaded === undefined) throw new Error("The tracker has no Job.");
  return collect(jobRows(loaded, { revision: 5, hours: [5], isTouched: () => isTouched }));
}

describe("the rows of a Job", () => {
  it("that finished are its answer and its attempts, each on the day of its end", async () => {
    const [job, attempt] = await rowsOf(endedJob({ ...story, succeeds: false }));
    expect(job).toMatchObject({
      table: "jobs",
      day: "2026-11-21",
      row: {
        namespace: "shop",
        name: "report",
        labels: { team: "billing" },
        verdict_state: "Failed",
        verdict_reason: "BackoffLimitExceeded",
        verdict_final: true,
        finished_at: "2026-11-21T08:03:00Z",
        pods_seen: 1,
        pods_failed: 1,
        status_failed: 1,
        cause_category: "application",
        cause_responsible: "program",
        cause_retry: "unknown",
        revision: 5,
      },
    });
    expect(attempt).toMatchObject({
      table: "attempts",
      day: "2026-11-21",
      row: { job_name: "report", name: "report-x", outcome: "Failed", exit_code: 1, node: "node-1" },
    });
  });

  it("have a column for each of their values", async () => {
    for (const { table, row } of await rowsOf(endedJob(story))) {
      const known = new Set(COLUMNS[table].map(({ name }) => name));
      expect(Object.keys(row).filter((name) => !known.has(name))).toEqual([]);
    }
  });

  it("that was deleted before it finished are on the day of the deletion", async () => {
    const rows = await rowsOf([...startedJob(story), jobDeleted(story, EIGHT + 26 * HOUR)]);
    expect(rows.map(({ table, day, row }) => [table, day, row["verdict_state"]])).toEqual([
      ["jobs", "2026-11-22", "Deleted"],
    ]);
  });

  it("that has not ended are those of its ended Pods which the hour has facts about", async () => {
    const ended = jobEnd(story).filter(({ kind }) => kind === "PodTerminated");
    const running = [...startedJob(story), ...ended];
    expect((await rowsOf(running)).map(({ table }) => table)).toEqual(["attempts"]);
    expect(await rowsOf(running, false)).toEqual([]);
  });

  it("that needed one success and got two count the second as needless", async () => {
    const again = endedJob(story).map((fact) =>
      "podUid" in fact ? { ...fact, podUid: `${fact.podUid}-2`, at: fact.at + 10 * MINUTE } : fact,
    );
    const [job] = await rowsOf([...endedJob(story), ...again] as readonly Fact[]);
    expect(job?.row).toMatchObject({ needless_runs: 1, needless_seconds: 120, pods_succeeded: 2 });
  });
});
