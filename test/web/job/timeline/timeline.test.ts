import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layOutTimeline, MAX_NAMED } from "../../../../web/job/timeline/timeline.ts";
import { attemptOf } from "../../../support/story/listed-attempt.ts";
import { second } from "../../../support/story/listed-job.ts";

describe("a timeline", () => {
  it("gives each of a few Pods a named row, in order of creation", () => {
    const { groups } = layOutTimeline([attemptOf(2), attemptOf(1)]);
    expect(groups).toMatchObject([{ named: true, lanes: 2 }]);
    expect(groups[0]?.bars.map(({ name, lane }) => [name, lane])).toEqual([
      ["report-1", 0],
      ["report-2", 1],
    ]);
  });

  it("groups many Pods by outcome, failures first", () => {
    const many = Array.from({ length: MAX_NAMED }, (_, number) => attemptOf(number * 100));
    const failed = attemptOf(1, { outcome: "Failed", category: "oom", exitCode: 137 });
    const { groups } = layOutTimeline([...many, failed]);
    expect(groups.map(({ title, bars }) => [title, bars.length])).toEqual([
      ["Failed: oom, exit code 137", 1],
      ["Succeeded", MAX_NAMED],
    ]);
  });

  it("has every Pod once, and never two in one row at one time", () => {
    const spans = fc.array(fc.tuple(fc.nat(1_000), fc.nat(50)), { minLength: MAX_NAMED + 1, maxLength: 200 });
    fc.assert(
      fc.property(spans, (given) => {
        const attempts = given.map(([from, length], number) =>
          attemptOf(number, { createdAt: second(from), startedAt: second(from), finishedAt: second(from + length) }),
        );
        const bars = layOutTimeline(attempts).groups.flatMap((group) => group.bars);
        expect(bars).toHaveLength(attempts.length);
        for (const lane of Map.groupBy(bars, (bar) => bar.lane).values()) {
          for (const [index, bar] of lane.entries()) {
            const before = lane[index - 1];
            if (before !== undefined) expect(bar.createdAt).toBeGreaterThan(before.endedAt ?? 0);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it("reaches as far as the marks", () => {
    const { to } = layOutTimeline([attemptOf(1)], () => [Date.parse(second(60)), undefined]);
    expect(to).toBe(Date.parse(second(60)));
  });
});
