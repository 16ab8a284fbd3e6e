import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../../src/job/model/canonical.ts";
import type { ParentDeleted, ParentObserved } from "../../../src/job/model/fact.ts";
import { emptyParent, joinParentFact, type ParentRecord } from "../../../src/parents/status/parent-record.ts";
import { isTrue, parentDeleted, parentObserved, parentOf } from "../../support/facts/parent-facts.ts";

const arbitraryFact: fc.Arbitrary<ParentObserved | ParentDeleted> = fc.oneof(
  fc
    .record({
      at: fc.nat({ max: 5 }).map((second) => second * 1_000),
      restarts: fc.nat({ max: 3 }),
      reason: fc.constantFrom("a", "b"),
      since: fc.nat({ max: 3 }),
    })
    .map(({ at, restarts, reason, since }) =>
      parentObserved({
        at,
        fields: { restarts: String(restarts) },
        conditions: [isTrue("RestartingJobSet", since, { reason })],
      }),
    ),
  fc.nat({ max: 5 }).map((second) => parentDeleted(second * 1_000)),
);

const text = ({ attempts, transitions, ...record }: ParentRecord): string =>
  canonical({ ...record, attempts: Object.fromEntries(attempts), transitions: Object.fromEntries(transitions) });

describe("the record of a parent", () => {
  it("is the same from any order of facts, however often each arrives", () => {
    fc.assert(
      fc.property(
        fc
          .array(arbitraryFact, { maxLength: 8 })
          .chain((facts) =>
            fc.tuple(fc.constant(facts), fc.shuffledSubarray([...facts, ...facts], { minLength: facts.length * 2 })),
          ),
        ([facts, again]) => {
          expect(text(again.reduce(joinParentFact, emptyParent("js-1")))).toBe(text(parentOf(facts)));
        },
      ),
    );
  });

  it("keeps the first and the last observation of each attempt", () => {
    const seen = [0, 1, 2, 3].map((second) =>
      parentObserved({ at: second * 1_000, fields: { restarts: second < 2 ? "0" : "1" } }),
    );
    const { attempts, first, last } = parentOf(seen);
    expect([...attempts].map(([key, attempt]) => [key, attempt.first.at, attempt.last.at])).toEqual([
      ["0", 0, 1_000],
      ["1", 2_000, 3_000],
    ]);
    expect([first?.at, last?.at]).toEqual([0, 3_000]);
  });

  it("keeps what a condition was, after it has changed", () => {
    const evicted = isTrue("Evicted", 5_000, { reason: "Preempted" });
    const admitted = { type: "Evicted", status: "False", lastTransitionAt: 9_000 };
    const { transitions } = parentOf([
      parentObserved({ at: 5_000, conditions: [evicted] }),
      parentObserved({ at: 9_000, conditions: [admitted] }),
    ]);
    expect([...transitions.values()]).toEqual([evicted, admitted]);
  });

  it("has a bound of attempts and of transitions, the first", () => {
    const many = Array.from({ length: 300 }, (_, second) =>
      parentObserved({
        at: second * 1_000,
        fields: { restarts: String(second) },
        conditions: [isTrue("RestartingJobSet", second * 1_000)],
      }),
    );
    const { attempts, transitions } = parentOf(many.toReversed());
    expect([attempts.size, attempts.has("0"), attempts.has("64")]).toEqual([64, true, false]);
    expect([transitions.size, transitions.has("RestartingJobSet/True/0")]).toEqual([256, true]);
  });
});
