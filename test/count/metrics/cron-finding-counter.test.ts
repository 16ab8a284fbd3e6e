import { afterEach, describe, expect, it } from "vitest";
import { MeteredTrackers, scrape, tell } from "../../support/stores/metered-tracker.ts";
import { cronJobDeleted, heardAfter, hourly, runAt } from "../../support/story/hourly-cron-job.ts";

const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

const OPEN = 'outlive_findings{cluster="east",namespace="default",kind="MissedRun"}';
const TOTAL = 'outlive_findings_total{cluster="east",namespace="default",kind="MissedRun"}';

/** A CronJob whose runs after the first hour are missing, and whose last data is this many hours old. */
async function missing(hours: number) {
  const embedded = trackers.open();
  await tell(embedded, [hourly(), ...runAt(1).facts]);
  const { facts, now } = heardAfter(hours);
  await tell(embedded, facts);
  return { embedded, now };
}

describe("a finding of a CronJob", () => {
  it("is open in the metrics, and counts once, however often it is found", async () => {
    const { embedded, now } = await missing(3.5);
    for (let round = 0; round < 3; round += 1) await embedded.countCronJobs(now);
    expect(await scrape(embedded)).toMatchObject({ [OPEN]: 1, [TOTAL]: 1 });
  });

  it("is no longer open when the next runs were on time, and remains counted", async () => {
    const { embedded, now } = await missing(2.5);
    await embedded.countCronJobs(now);
    expect(await scrape(embedded)).toMatchObject({ [OPEN]: 1 });
    const later = heardAfter(5.5);
    await tell(embedded, [...runAt(3).facts, ...runAt(4).facts, ...runAt(5).facts, ...later.facts]);
    await embedded.countCronJobs(later.now);
    const shown = await scrape(embedded);
    expect(shown[OPEN] ?? 0).toBe(0);
    expect(shown[TOTAL]).toBe(1);
  });

  it("ends with the CronJob", async () => {
    const { embedded, now } = await missing(3.5);
    await embedded.countCronJobs(now);
    await tell(embedded, [cronJobDeleted(3.6)]);
    await embedded.countCronJobs(now);
    expect((await scrape(embedded))[OPEN] ?? 0).toBe(0);
  });

  it("is unknown of a cluster that was not heard of", async () => {
    const embedded = trackers.open();
    await embedded.countCronJobs(heardAfter(5).now);
    expect((await scrape(embedded))[OPEN]).toBeUndefined();
  });
});
