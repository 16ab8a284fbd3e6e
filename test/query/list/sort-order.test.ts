import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { comparePlaces, parseSort, placeOf, type SortPlace } from "../../../src/query/list/sort-order.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

describe("the order of a list", () => {
  it.each([
    ["created", "oldest"],
    ["-created", "newest"],
    ["-createdAt", "newest"],
    ["finished", { by: "finished", descending: false }],
    ["-finishedAt", { by: "finished", descending: true }],
    ["-duration", { by: "duration", descending: true }],
    ["name", { by: "name", descending: false }],
  ])("%s is %j", (text, order) => {
    expect(parseSort(text)).toEqual(order);
  });

  it.each(["", "-", "--name", "size", "Name", "toString", "name,uid", "At"])("%j is none", (text) => {
    expect(parseSort(text)).toBeUndefined();
  });

  const place: fc.Arbitrary<SortPlace> = fc.record({
    key: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    uid: fc.constantFrom("a", "b", "c"),
    cluster: fc.constantFrom("east", "west"),
  });

  it("is total, and has what lacks the value last in both directions", () => {
    fc.assert(
      fc.property(place, place, place, fc.boolean(), (a, b, c, descending) => {
        const [ab, ba] = [comparePlaces(a, b, descending), comparePlaces(b, a, descending)];
        expect(Math.sign(ab)).toBe(0 - Math.sign(ba));
        expect(ab === 0).toBe(JSON.stringify(a) === JSON.stringify(b));
        if (ab <= 0 && comparePlaces(b, c, descending) <= 0) {
          expect(comparePlaces(a, c, descending)).toBeLessThanOrEqual(0);
        }
        if (a.key !== undefined && b.key === undefined) expect(ab).toBeLessThan(0);
      }),
    );
  });

  it("has the duration of a running Job until the last data from its cluster, else until now", () => {
    const { finishedAt: _, ...running } = listedJob({ startedAt: second(0) });
    expect(placeOf(running, "duration", Date.parse(second(90))).key).toBe(90_000);
    const silent: JobAnswer = { ...running, completeness: { level: "stale", gaps: [], heardAt: second(30) } };
    expect(placeOf(silent, "duration", Date.parse(second(90))).key).toBe(30_000);
  });
});
