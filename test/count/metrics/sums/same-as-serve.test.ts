import { afterEach, describe, expect, it } from "vitest";
import { MIXED_RECORDING, MIXED_TRUTH, MixedJobs, shuffled } from "../../../support/recordings/mixed-facts.ts";
import { skipWithoutShared } from "../../../support/recordings/real-recordings.ts";
import { MetricStage } from "../../../support/aws/metric-stage.ts";
import { MeteredTrackers, scrape, tell, total } from "../../../support/stores/metered-tracker.ts";

const skip = skipWithoutShared([MIXED_RECORDING, MIXED_TRUTH]);
const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

type Shown = Readonly<Record<string, number>>;

/** Without what depends on more than the stored Jobs, without buckets, and without gauges of what is over. */
function comparable(shown: Shown): Shown {
  const isOther = /^outlive_(findings_total|metrics_as_of)|_bucket\{/;
  return Object.fromEntries(Object.entries(shown).filter(([name, number]) => number !== 0 && !isOther.test(name)));
}

/** Fifty Jobs, of which some failed. */
function isWanted(uid: string): boolean {
  return /^(00|1[0-3]|2[0-2])/.test(uid);
}

describe.skipIf(skip)("the metrics that a stage counts from the streams of its tables", () => {
  it(
    "are those of serve and the truth: shuffled, twice, killed, replayed and expired",
    { timeout: 120_000 },
    async () => {
      const mixed = new MixedJobs(isWanted);
      const events = await mixed.events();
      const embedded = trackers.open();
      await tell(embedded, events.flat());
      const shown = comparable(await scrape(embedded));

      const stage = new MetricStage();
      stage.now = Date.parse("2030-01-01T00:00:00Z");
      await stage.count();
      const disordered = shuffled(events);
      const some = Math.ceil(disordered.length / 8);
      for (let from = 0, request = 3; from < disordered.length; from += some, request += 2) {
        await stage.tell(disordered.slice(from, from + some).flat());
        await stage.countKilled(request);
      }
      await stage.tell(events.flat());
      await stage.count();
      const counted = await stage.scrape();
      for (const state of ["Complete", "Failed"] as const) {
        expect(mixed.ended(state)).toBeGreaterThan(0);
        expect(total(counted, "outlive_jobs_finished_total", `state="${state}"`)).toBe(mixed.ended(state));
      }
      for (const outcome of ["Succeeded", "Failed"] as const) {
        expect(total(counted, "outlive_attempts_total", `outcome="${outcome}"`)).toBe(mixed.attempts(outcome));
      }
      expect(comparable(counted)).toEqual(shown);

      await stage.replay();
      await stage.count();
      expect(comparable(await stage.scrape())).toEqual(shown);
      await stage.expire(2);
      await stage.count();
      await stage.replay();
      await stage.count();
      await stage.count();
      expect(comparable(await stage.scrape())).toEqual(shown);
    },
  );
});
