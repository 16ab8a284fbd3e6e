import { describe, expect, it } from "vitest";
import { axisEnds } from "../../../../web/job/timeline/axis-ends.ts";
import { barOf } from "../../../../web/job/timeline/timeline.ts";
import { attemptOf } from "../../../support/story/listed-attempt.ts";
import { second } from "../../../support/story/listed-job.ts";

const BARS = [barOf(attemptOf(0))];
const at = (seconds: number): number => Date.parse(second(seconds));

describe("the end of an axis", () => {
  it("is the end of the work, once that is final", () => {
    const ends = axisEnds({ finishedAt: second(9), verdict: { final: true } }, BARS, at(20));
    expect(ends).toEqual([at(9), undefined]);
  });

  it("is now, while the work is open", () => {
    expect(axisEnds({ verdict: { final: false } }, BARS, at(20))).toEqual([undefined, at(20)]);
  });

  it("is not now if most of the axis would be empty", () => {
    expect(axisEnds({ verdict: { final: false } }, BARS, at(3_600))).toEqual([undefined, undefined]);
  });
});
