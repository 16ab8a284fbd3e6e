import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Fact, isJobFact } from "../../src/job/model/fact.ts";
import { arbitraryFact } from "../support/facts/arbitrary-facts.ts";
import { MetricStage } from "../support/aws/metric-stage.ts";

type Step =
  | { readonly does: "tell"; readonly facts: readonly Fact[] }
  | { readonly does: "countKilled"; readonly request: number }
  | { readonly does: "count" | "twoAtOnce" | "rollShards" | "replay" | "deliver" | "deliverAgain" };

const step = fc.oneof<fc.WeightedArbitrary<Step>[]>(
  {
    weight: 6,
    arbitrary: fc
      .array(arbitraryFact, { minLength: 1, maxLength: 16 })
      .map((facts) => ({ does: "tell", facts: facts.filter(isJobFact) })),
  },
  { weight: 2, arbitrary: fc.nat(30).map((request) => ({ does: "countKilled", request })) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        "count" as const,
        "twoAtOnce" as const,
        "rollShards" as const,
        "replay" as const,
        "deliver" as const,
        "deliverAgain" as const,
      )
      .map((does) => ({ does })),
  },
);

async function take(stage: MetricStage, taken: Step): Promise<void> {
  switch (taken.does) {
    case "tell":
      return stage.tell(taken.facts);
    case "countKilled":
      return stage.countKilled(taken.request);
    case "count":
      await stage.count();
      return;
    case "twoAtOnce":
      await Promise.all([stage.count(), stage.count()]);
      return;
    case "rollShards":
      stage.stores.A.rollShards();
      return;
    case "deliver":
      return stage.deliver();
    case "deliverAgain":
      for (const store of [stage.stores.A, stage.stores.B]) store.deliverAgain();
      return;
    case "replay":
      await stage.count();
      await stage.replay();
      return;
  }
}

/** Counters that show less than they did, by name. */
function fallen(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): readonly string[] {
  return Object.keys(before).filter((name) => {
    const isCounter = /_total\{|_bucket\{|_count\{|_sum\{/.test(name);
    return isCounter && (after[name] ?? -1) < (before[name] ?? 0);
  });
}

describe("the counted metrics of Jobs", () => {
  it("are those of the stored Jobs, and no counter falls, however often counting is killed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const stage = new MetricStage();
        await stage.count();
        let shown = await stage.scrape();
        for (const taken of steps) {
          await take(stage, taken);
          const now = await stage.scrape();
          expect(fallen(shown, now)).toEqual([]);
          shown = now;
        }
        stage.now += 3_600_000;
        await stage.count();
        await stage.count();
        for (const projection of ["A", "B"] as const) {
          const { stored, jobs } = await stage.sums(projection);
          expect(stored).toEqual(jobs);
        }
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});
