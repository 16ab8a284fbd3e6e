import { afterEach, describe, expect, it } from "vitest";
import { recountJobs } from "../../../src/count/metrics/recount-jobs.ts";
import { collectMetrics } from "../../../src/count/metrics/collect-metrics.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import { openDatabase } from "../../../src/adapters/sqlite/database.ts";
import { StoredMetrics } from "../../../src/count/metrics/stored-metrics.ts";
import { createSqliteMetricTables } from "../../../src/adapters/sqlite/sqlite-metric-tables.ts";
import { MeteredTrackers, scrape, tell } from "../../support/stores/metered-tracker.ts";
import { restartedJobSet } from "../../support/story/run-story.ts";
import { Story } from "../../support/story/story.ts";

const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

/** Three Jobs: one runs, one is complete, one failed with a finding. */
function stories(): readonly Story[] {
  const [running, complete, failed] = [new Story("a"), new Story("b"), new Story("c")];
  for (const story of [running, complete, failed]) story.jobCreated({ backoffLimit: 0 });
  running.podStarted("a");
  complete.podSucceeds("a", 5);
  complete.jobFinished("Complete", "CompletionsReached");
  failed.podFails("a", 1, 5);
  failed.jobFinished("Failed", "BackoffLimitExceeded");
  return [running, complete, failed];
}

describe("counting stored Jobs again", () => {
  it("changes nothing where they are counted", async () => {
    const embedded = trackers.open();
    for (const { facts } of stories()) await tell(embedded, facts);
    await tell(embedded, restartedJobSet());
    await embedded.sweep({ now: Date.now(), freshMillis: 0 });
    const before = await scrape(embedded);
    const { meta, metrics, projections } = embedded;
    const [jobs, runs] = [await liveJobs(projections, meta), projections.runs("A")];
    expect(await recountJobs({ jobs, runs, meta, metrics, atOnce: (work) => work() })).toBe(7);
    expect(await scrape(embedded)).toEqual(before);
    expect(await embedded.countEarlierJobs()).toBe(0);
  });

  it("counts Jobs of an earlier release as if they had been counted when they were stored", async () => {
    const embedded = trackers.open();
    for (const { facts } of stories()) await tell(embedded, facts);
    await tell(embedded, restartedJobSet());
    await embedded.sweep({ now: Date.now(), freshMillis: 0 });
    const { meta, projections } = embedded;
    const database = openDatabase(":memory:");
    const metrics = new StoredMetrics(createSqliteMetricTables(database), { maxSeries: 100 });
    const [jobs, runs] = [await liveJobs(projections, meta), projections.runs("A")];
    await recountJobs({ jobs, runs, meta, metrics, atOnce: (work) => database.inTransaction(work) });
    expect(await collectMetrics({ metrics, meta }, "everything", 0)).toEqual(
      await collectMetrics(embedded, "everything", 0),
    );
    database.close();
  });
});
