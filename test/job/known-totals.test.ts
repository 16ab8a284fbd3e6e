import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerRecord } from "../../src/job/job-answer.ts";
import { foldJobs } from "../../src/job/job-record.ts";
import { translate } from "../../src/kubernetes/translate.ts";
import { SmallCluster, type SmallJob, type WatchEvent } from "../support/small-cluster.ts";

const tracked: fc.Arbitrary<SmallJob> = fc.record({
  completions: fc.integer({ min: 1, max: 4 }),
  parallelism: fc.integer({ min: 1, max: 3 }),
  backoffLimit: fc.integer({ min: 0, max: 3 }),
  completionMode: fc.constantFrom("NonIndexed", "Indexed"),
  podReplacementPolicy: fc.constantFrom("TerminatingOrFailed", "Failed"),
  tracked: fc.constant(true),
});

function answerOf(events: readonly WatchEvent[]) {
  const facts = events.flatMap((event) => {
    const translated = translate(event);
    return translated.outcome === "translated" ? translated.facts : [];
  });
  const [record] = foldJobs(facts).values();
  const surroundings = { nodes: new Map(), hints: new Map(), gaps: [] };
  return record && answerRecord(record, { cluster: "small", surroundings, now: Date.parse("2026-01-02T00:00:00Z") });
}

describe("the known totals of a tracked Job", () => {
  it("never exceed what the controller settles at, whichever lines are missing", () => {
    const acts = fc.array(fc.nat({ max: 16 * 64 }), { maxLength: 60 });
    fc.assert(
      fc.property(tracked, acts, fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), (job, acts, seen) => {
        const cluster = new SmallCluster(job);
        for (const act of acts) cluster.act(act);
        const lived = cluster.events.length;
        cluster.settle();
        const events = cluster.events.slice(0, lived).filter((_, at) => seen[at % seen.length] === true);
        const status = answerOf(events)?.status;
        // Deleted before it ended, then ended well: when the controller looked is not in the facts of the Pod (docs/agreement.md).
        const { interrupted, succeeded } = cluster.truth;
        const contested = [...interrupted].filter((uid) => succeeded.has(uid)).length;
        expect(status?.succeeded ?? 0).toBeLessThanOrEqual(cluster.counted.succeeded + contested);
        expect(status?.failed ?? 0).toBeLessThanOrEqual(cluster.counted.failed + contested);
      }),
      { numRuns: 3000 },
    );
  });
});
