import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareRecords, foldRecords, recordVersions } from "../../../src/upkeep/replay/compare-records.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { send, twoProjections } from "../../support/stores/two-projections.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const story = fc.array(arbitraryFact, { minLength: 5, maxLength: 60 });

describe("records beside the Jobs", () => {
  it("equal the fold of the log after any story", async () => {
    await fc.assert(
      fc.asyncProperty(story, async (facts) => {
        const all = twoProjections();
        await send(all, sealInSegments(facts, 4, NOON));
        const before = await recordVersions(all);
        expect(await compareRecords(all, await foldRecords(all), before)).toMatchObject({ mismatches: [], changed: 0 });
      }),
    );
  });

  it("are not compared if they have changed since the log was read", async () => {
    const all = twoProjections();
    const items = sealInSegments(fc.sample(arbitraryFact, { numRuns: 60, seed: 7 }), 4, NOON);
    await send(all, items.slice(0, 8));
    const before = await recordVersions(all);
    const fold = await foldRecords(all);
    await send(all, items.slice(8));
    const { mismatches, changed } = await compareRecords(all, fold, before);
    expect(mismatches).toEqual([]);
    expect(changed).toBeGreaterThan(0);
  });
});
