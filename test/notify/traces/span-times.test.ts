import { describe, expect, it } from "vitest";
import { spanTimes } from "../../../src/notify/traces/span-times.ts";
import { second } from "../../support/story/listed-job.ts";

const at = (seconds: number): number => Date.parse(second(seconds));

describe("the times of a span", () => {
  it("are those of its object if they are known", () => {
    expect(spanTimes([{ at: second(1) }], [{ at: second(5) }])).toEqual({
      startAt: at(1),
      endAt: at(5),
      estimated: {},
    });
  });

  it("are estimates where only another instant is known, and say so", () => {
    const ends = [{ at: undefined }, { at: second(9), isEstimate: true }];
    expect(spanTimes([{ at: second(1) }], ends)).toEqual({
      startAt: at(1),
      endAt: at(9),
      estimated: { "outlive.estimated_times": ["end"] },
    });
  });

  it.each([
    ["an end before the start, by another clock", second(7), second(5), ["end"]],
    ["no end", second(7), undefined, ["end"]],
    ["a start of 1970", "1970-01-01T00:00:00Z", second(7), ["start"]],
  ])("have no duration with %s", (_, start, end, estimated) => {
    expect(spanTimes([{ at: start }], [{ at: end }])).toEqual({
      startAt: at(7),
      endAt: at(7),
      estimated: { "outlive.estimated_times": estimated },
    });
  });
});
