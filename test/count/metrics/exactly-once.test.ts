import { afterEach, describe, expect, it } from "vitest";
import { MIXED_RECORDING, MIXED_TRUTH, MixedJobs, shuffled } from "../../support/recordings/mixed-facts.ts";
import { skipWithoutShared } from "../../support/recordings/real-recordings.ts";
import { MeteredTrackers, scrape, tell, total } from "../../support/stores/metered-tracker.ts";

const skip = skipWithoutShared([MIXED_RECORDING, MIXED_TRUTH]);
const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

/** Every tenth Job only: a replay of all takes minutes. */
function isWanted(uid: string): boolean {
  return /^0|^[1-9a-f]0/.test(uid);
}

describe.skipIf(skip)("the metrics of Jobs whose truth was recorded", () => {
  it(
    "equal the truth, shuffled and delivered twice, after a replay and after a switch",
    { timeout: 300_000 },
    async () => {
      const mixed = new MixedJobs(isWanted);
      const facts = (await mixed.events()).flat();
      const embedded = trackers.open();
      await tell(embedded, shuffled(facts));
      await tell(embedded, facts);
      await embedded.sweep({ now: Date.now(), freshMillis: 0 });
      const shown = await scrape(embedded);
      for (const state of ["Complete", "Failed"] as const) {
        expect(mixed.ended(state)).toBeGreaterThan(0);
        expect(total(shown, "outlive_jobs_finished_total", `state="${state}"`)).toBe(mixed.ended(state));
      }
      for (const outcome of ["Succeeded", "Failed"] as const) {
        expect(total(shown, "outlive_attempts_total", `outcome="${outcome}"`)).toBe(mixed.attempts(outcome));
      }
      await embedded.replay();
      expect(await scrape(embedded)).toEqual(shown);
      await embedded.replay({ isTrial: true });
      expect((await embedded.switchProjection()).outcome).toBe("switched");
      expect(await scrape(embedded)).toEqual(shown);
    },
  );
});
