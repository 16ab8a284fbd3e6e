import { afterEach, describe, expect, it } from "vitest";
import { clusterNamed } from "../../support/facts/names.ts";
import { MeteredTrackers, tell } from "../../support/stores/metered-tracker.ts";
import { cronJobDeleted, heardAfter, hourly, runAt } from "../../support/story/hourly-cron-job.ts";
import { knownCronJobs } from "../../../src/query/cron-jobs/cron-jobs.ts";
import { observationOf } from "../../../src/query/cron-jobs/observation.ts";
import { RecentFindings } from "../../../src/query/cron-jobs/recent-findings.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import type { Fact } from "../../../src/job/model/fact.ts";

const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

const HOUR = 3_600_000;

/** The findings about an hourly CronJob without its runs of 2 and 3 o'clock, this many hours after its last data. */
async function kindsAfter(silentHours: number, more: readonly Fact[] = []): Promise<readonly string[]> {
  const embedded = trackers.open();
  const { meta, log, projections } = embedded;
  const { facts, now } = heardAfter(3.5);
  await tell(embedded, [hourly(), ...runAt(1).facts, ...more, ...facts]);
  const ports = { jobs: await liveJobs(projections, meta), meta, log };
  const observation = await observationOf(meta, clusterNamed("east"), now + silentHours * HOUR);
  const [cronJob] = await knownCronJobs(meta, "everything", clusterNamed("east"));
  if (cronJob === undefined) throw new Error("There is a CronJob.");
  return (await new RecentFindings().of(ports, cronJob, observation)).map(({ kind }) => kind);
}

describe("the findings of a CronJob", () => {
  it("are those of its last due times and runs", async () => {
    expect(await kindsAfter(0)).toEqual(["MissedRun"]);
    expect(await kindsAfter(0, [...runAt(2).facts, ...runAt(3).facts])).toEqual([]);
  });

  it("remain those of the last data while its cluster is silent, however long", async () => {
    expect(await kindsAfter(2)).toEqual(["MissedRun"]);
    expect(await kindsAfter(1_000)).toEqual(["MissedRun"]);
  });

  it("end with the CronJob", async () => {
    expect(await kindsAfter(0, [cronJobDeleted(3.2)])).toEqual([]);
  });
});
