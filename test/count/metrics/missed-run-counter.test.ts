import { afterEach, describe, expect, it } from "vitest";
import { MeteredTrackers, scrape, tell } from "../../support/stores/metered-tracker.ts";
import { heardAfter, hourly, runAt } from "../../support/story/hourly-cron-job.ts";

const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

const MISSED = 'outlive_cronjob_missed_runs_total{cluster="east",namespace="default",cronjob="hourly"}';
describe("missed runs", () => {
  it("count once each, however often they are looked for", async () => {
    const embedded = trackers.open();
    await tell(embedded, [hourly(), ...runAt(1).facts, ...runAt(3).facts]);
    const { facts, now } = heardAfter(5.5);
    await tell(embedded, facts);
    for (let round = 0; round < 3; round += 1) await embedded.countCronJobs(now);
    // Due at 1, 2, 3, 4 and 5; the one of 5 may still be started late.
    expect((await scrape(embedded))[MISSED]).toBe(2);
  });

  it("count no more if the run is found late, but what was shown remains until others are missed", async () => {
    const embedded = trackers.open();
    await tell(embedded, [hourly(), ...runAt(1).facts]);
    const early = heardAfter(3.5);
    await tell(embedded, early.facts);
    await embedded.countCronJobs(early.now);
    expect((await scrape(embedded))[MISSED]).toBe(1);
    await tell(embedded, runAt(2).facts);
    const later = heardAfter(4.5);
    await tell(embedded, later.facts);
    await embedded.countCronJobs(later.now);
    // That of 2 ran, that of 3 is missed.
    expect((await scrape(embedded))[MISSED]).toBe(1);
  });

  it("are not known of a cluster that was not heard of", async () => {
    const embedded = trackers.open();
    await embedded.countCronJobs(heardAfter(5).now);
    expect((await scrape(embedded))[MISSED]).toBeUndefined();
  });
});
