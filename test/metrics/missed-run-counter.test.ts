import { afterEach, describe, expect, it } from "vitest";
import type { Fact } from "../../src/job/model/fact.ts";
import type { Instant } from "../../src/job/model/instant.ts";
import { MeteredTrackers, scrape, tell } from "../support/stores/metered-tracker.ts";
import { Story } from "../support/story/story.ts";

const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

const MISSED = 'outlive_cronjob_missed_runs_total{cluster="east",namespace="default",cronjob="hourly"}';
const HOUR = 3_600;

/** A CronJob that is due at every full hour from 2026-01-01 on. */
function hourly(): Fact {
  const story = new Story();
  story.cronJob("cron-1", { name: "hourly", namespace: "default", schedule: "0 * * * *" });
  const fact = story.clusterContext.cronJobs?.get("cron-1")?.observed;
  if (fact === undefined) throw new Error("The story has a CronJob.");
  return fact;
}

/** The run that was due after so many hours. */
function runAt(hours: number): Story {
  const story = new Story(`hourly-${hours}`);
  story.after(hours * HOUR);
  story.jobCreated(
    {},
    {
      owner: { kind: "CronJob", name: "hourly", uid: "cron-1" },
      name: `hourly-${story.now / 60_000}`,
      createdAt: story.now,
    },
  );
  story.podSucceeds("a", 10);
  story.jobFinished("Complete");
  return story;
}

/** Something that the cluster was heard of after so many hours. */
function heardAfter(hours: number): { readonly facts: readonly Fact[]; readonly now: Instant } {
  const story = new Story(`other-${hours}`);
  story.after(hours * HOUR);
  story.jobCreated({}, { createdAt: story.now });
  return { facts: story.facts, now: story.now };
}

describe("missed runs", () => {
  it("count once each, however often they are looked for", async () => {
    const embedded = trackers.open();
    await tell(embedded, [hourly(), ...runAt(1).facts, ...runAt(3).facts]);
    const { facts, now } = heardAfter(5.5);
    await tell(embedded, facts);
    for (let round = 0; round < 3; round += 1) await embedded.countMissedRuns(now);
    // Due at 1, 2, 3, 4 and 5; the one of 5 may still be started late.
    expect((await scrape(embedded))[MISSED]).toBe(2);
  });

  it("count no more if the run is found late, but what was shown remains until others are missed", async () => {
    const embedded = trackers.open();
    await tell(embedded, [hourly(), ...runAt(1).facts]);
    const early = heardAfter(3.5);
    await tell(embedded, early.facts);
    await embedded.countMissedRuns(early.now);
    expect((await scrape(embedded))[MISSED]).toBe(1);
    await tell(embedded, runAt(2).facts);
    const later = heardAfter(4.5);
    await tell(embedded, later.facts);
    await embedded.countMissedRuns(later.now);
    // That of 2 ran, that of 3 is missed.
    expect((await scrape(embedded))[MISSED]).toBe(1);
  });

  it("are not known of a cluster that was not heard of", async () => {
    const embedded = trackers.open();
    await embedded.countMissedRuns(heardAfter(5).now);
    expect((await scrape(embedded))[MISSED]).toBeUndefined();
  });
});
