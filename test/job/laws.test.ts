import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { canonical } from "../../src/job/model/canonical.ts";
import type { ClusterContext } from "../../src/job/model/cluster-context.ts";
import type { Fact, GapRecorded } from "../../src/job/model/fact.ts";
import type { Instant } from "../../src/job/model/instant.ts";
import { answerRecord } from "../../src/explain/present-job.ts";
import { recordRules } from "../../src/explain/derived-job.ts";
import { foldJobs } from "../../src/job/model/job-record.ts";
import { decodeResourceVersion } from "../../src/job/model/order.ts";
import { statusOf } from "../../src/job/status/status.ts";
import { tallyPods } from "../../src/job/accounting/tally.ts";
import { translate } from "../../src/kubernetes/translate/translate.ts";
import { SmallCluster } from "../support/kubernetes/small-cluster.ts";
import type { SmallJob, WatchEvent } from "../support/kubernetes/small-store.ts";

const NOTHING: ClusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };
const LATER = Date.parse("2026-01-02T00:00:00Z");

const smallJob: fc.Arbitrary<SmallJob> = fc.record({
  completions: fc.integer({ min: 1, max: 4 }),
  parallelism: fc.integer({ min: 1, max: 3 }),
  backoffLimit: fc.integer({ min: 0, max: 3 }),
  completionMode: fc.constantFrom("NonIndexed", "Indexed"),
  podReplacementPolicy: fc.constantFrom("TerminatingOrFailed", "Failed"),
  tracked: fc.boolean(),
});
/** A Job of the small cluster and what each actor did, in order. */
const history = fc.record({ job: smallJob, acts: fc.array(fc.nat({ max: 16 * 64 }), { maxLength: 60 }) });

function play(
  { job, acts }: { readonly job: SmallJob; readonly acts: readonly number[] },
  settled: boolean,
): SmallCluster {
  const cluster = new SmallCluster(job);
  for (const act of acts) cluster.act(act);
  if (settled) cluster.settle();
  return cluster;
}

function factsOf(events: readonly WatchEvent[]): readonly Fact[] {
  return events.flatMap((event) => {
    const translated = translate(event);
    if (translated.outcome !== "translated") throw new Error(`This cannot be read: ${canonical(translated)}`);
    return translated.facts;
  });
}

function answer(facts: readonly Fact[]): JobAnswer | undefined {
  const [record] = foldJobs(facts).values();
  return record && answerRecord(record, { cluster: "small", clusterContext: NOTHING, now: LATER });
}

function declaredGap(from: Instant, to: Instant): GapRecorded {
  const resourceVersion = decodeResourceVersion("1");
  if (resourceVersion === undefined) throw new Error("1 is a resourceVersion.");
  const stamp = { epoch: 0, resourceVersion, at: to };
  return { ...stamp, kind: "GapRecorded", gapId: "g", from, to, resources: ["pods"], reason: "Relisted." };
}

/** A permutation of `items` that `keys` decide, with some repeated. */
function disordered<Item>(items: readonly Item[], keys: readonly number[]): readonly Item[] {
  const repeated = items.flatMap((item, n) =>
    (keys[n % Math.max(1, keys.length)] ?? 0) % 3 === 0 ? [item, item] : [item],
  );
  return repeated
    .map((item, n) => ({ item, key: ((keys[n % Math.max(1, keys.length)] ?? 0) * 7919 + n * 104729) % 1009 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

describe("the answer about any Job", () => {
  it("is the same for the same facts in any order and with duplicates", () => {
    fc.assert(
      fc.property(history, fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), (story, keys) => {
        const facts = factsOf(play(story, false).events);
        expect(canonical(answer(disordered(facts, keys)))).toBe(canonical(answer(facts)));
      }),
      { numRuns: 300 },
    );
  });

  it("never counts more than the true number, after any part of the facts, in any order", () => {
    fc.assert(
      fc.property(history, fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), fc.nat(), (story, keys, cut) => {
        const cluster = play(story, false);
        const { succeeded, failed, interrupted } = cluster.truth;
        const events = disordered(cluster.events, keys);
        const seen = answer(factsOf(events.slice(0, 1 + (cut % Math.max(1, events.length)))));
        if (seen === undefined) return;
        const mayFail = new Set([...failed, ...interrupted]).size;
        expect(seen.pods.succeeded).toBeLessThanOrEqual(succeeded.size);
        expect(seen.pods.failed).toBeLessThanOrEqual(failed.size);
        expect(seen.status.succeeded ?? 0).toBeLessThanOrEqual(succeeded.size);
        expect(seen.status.failed ?? 0).toBeLessThanOrEqual(mayFail);
      }),
      { numRuns: 500 },
    );
  });

  it("is not complete if Kubernetes counted a Pod whose end was not observed (with finalizers)", () => {
    fc.assert(
      fc.property(
        history.filter(({ job }) => job.tracked),
        fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 60 }),
        (story, keep) => {
          const cluster = play(story, true);
          const { interrupted, succeeded } = cluster.truth;
          // The facts of such a Pod do not contain when the controller synced it (docs/agreement.md).
          fc.pre(![...interrupted].some((uid) => succeeded.has(uid)));
          const [first, ...others] = cluster.events;
          const rest = others.filter((_, at) => keep[at % keep.length] !== 0);
          const [record] = foldJobs(factsOf(first === undefined ? rest : [first, ...rest])).values();
          if (record === undefined) return;
          const { completeness, reported } = answerRecord(record, {
            cluster: "small",
            clusterContext: NOTHING,
            now: LATER,
          });
          if (completeness.level !== "complete") return;
          const tally = tallyPods(record.pods.values(), recordRules(record, NOTHING));
          const own = statusOf({ job: record.job, tally, now: LATER }).totals?.own;
          expect(tally.late).toBe(0);
          expect(own?.succeeded).toBeGreaterThanOrEqual(reported?.status.succeeded ?? 0);
          expect((own?.failed ?? 0) + tally.uponFailure).toBeGreaterThanOrEqual(reported?.status.failed ?? 0);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("is complete if everything was observed, and never if a gap overlaps the Job's life", () => {
    fc.assert(
      fc.property(history, fc.nat({ max: 1000 }), fc.nat({ max: 1000 }), (story, after, lasting) => {
        const facts = factsOf(play(story, true).events);
        expect(answer(facts)?.completeness).toEqual({ level: "complete", gaps: [] });
        const [record] = foldJobs(facts).values();
        const { createdAt = 0 } = record?.job.created ?? {};
        const end = (record?.job.complete ?? record?.job.failed)?.at ?? LATER;
        const from = createdAt + ((end - createdAt) * after) / 1000;
        const gap = declaredGap(from, from + lasting * 1000);
        const seen =
          record && answerRecord(record, { cluster: "small", clusterContext: { ...NOTHING, gaps: [gap] }, now: LATER });
        expect(seen?.completeness.level).not.toBe("complete");
      }),
      { numRuns: 300 },
    );
  });

  it("is final only after a reported end or proven completions of an untracked Job, and stays so", () => {
    fc.assert(
      fc.property(history, (story) => {
        const cluster = play(story, true);
        const facts = factsOf(cluster.events);
        let final: string | undefined;
        for (let seen = 1; seen <= facts.length; seen += 1) {
          const verdict = answer(facts.slice(0, seen))?.verdict;
          if (final !== undefined) expect(verdict).toMatchObject({ state: final, final: true });
          if (verdict?.final !== true || final !== undefined) continue;
          final = verdict.state;
          const proven = !story.job.tracked && cluster.truth.succeeded.size >= story.job.completions;
          if (final !== "Complete" || !proven) expect(final).toBe(cluster.truth.ended);
        }
        expect(final).toBeDefined();
      }),
      { numRuns: 150 },
    );
  });

  it("has the controller's final counters after everything is counted (with finalizers)", () => {
    fc.assert(
      fc.property(
        history.filter(({ job }) => job.tracked),
        (story) => {
          const cluster = play(story, true);
          const settled = answer(factsOf(cluster.events));
          expect(settled?.verdict.state).toBe(cluster.truth.ended);
          expect(settled?.status.succeeded ?? 0).toBe(cluster.counted.succeeded);
          expect(settled?.status.failed ?? 0).toBe(cluster.counted.failed);
          const { seen, ...came } = settled?.pods ?? { seen: -1 };
          expect(Object.values(came).reduce((sum, count) => sum + count, 0)).toBe(seen);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("contains every success of a Job whose controller counts the Pods that exist", () => {
    fc.assert(
      fc.property(
        history.filter(({ job }) => !job.tracked && job.completionMode === "NonIndexed"),
        (story) => {
          const cluster = play(story, true);
          const settled = answer(factsOf(cluster.events));
          expect(settled?.tracking).toBe("untracked");
          expect(settled?.pods.succeeded).toBe(cluster.truth.succeeded.size);
          if (cluster.truth.succeeded.size >= story.job.completions && cluster.truth.ended !== "Failed") {
            expect(settled?.verdict).toMatchObject({ state: "Complete", final: true });
            expect(settled?.status.succeeded).toBe(cluster.truth.succeeded.size);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
