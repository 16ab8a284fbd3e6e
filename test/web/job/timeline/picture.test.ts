import { describe, expect, it } from "vitest";
import { pictureText } from "../../../../web/job/timeline/picture.ts";
import { layOutTimeline } from "../../../../web/job/timeline/timeline.ts";
import { attemptOf } from "../../../support/story/listed-attempt.ts";
import { second } from "../../../support/story/listed-job.ts";

describe("the text alternative of the timeline", () => {
  it("counts the Pods by outcome, and the deleted ones", () => {
    const { from, to, groups } = layOutTimeline([
      attemptOf(1, { deletedAt: second(9) }),
      attemptOf(2),
      attemptOf(3, { outcome: "Failed", exitCode: 1 }),
    ]);
    const texts = groups.map((group) => pictureText({ group, from, to, marks: [], bands: [] }, "Pod"));
    expect(texts).toEqual([
      expect.stringMatching(/^3 Pods from .* to .*: 2 Succeeded, 1 Failed; 1 deleted\. The table of Pods lists/),
    ]);
  });
});
