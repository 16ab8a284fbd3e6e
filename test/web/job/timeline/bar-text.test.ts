import { describe, expect, it } from "vitest";
import type { Attempt } from "../../../../src/explain/answer-document.ts";
import { barText, pictureText } from "../../../../web/job/timeline/bar-text.ts";
import { layOutTimeline } from "../../../../web/job/timeline/timeline.ts";
import { attemptOf } from "../../../support/story/listed-attempt.ts";
import { second } from "../../../support/story/listed-job.ts";

function groupOf(attempts: readonly Attempt[]) {
  const { from, to, groups } = layOutTimeline(attempts, []);
  const [group] = groups;
  if (group === undefined) throw new Error("The timeline has no group");
  return { group, from, to, marks: [], bands: [] };
}
function textOf(attempt: Attempt): string {
  const [bar] = groupOf([attempt]).group.bars;
  return bar === undefined ? "" : barText(bar);
}

describe("the text of a Pod in the timeline", () => {
  it("has its name, outcome, times and node", () => {
    expect(textOf(attemptOf(1, { node: "node-1" }))).toMatch(
      /^report-1: Succeeded; created \d\d:\d\d:\d\d, ran 3s on node-1$/,
    );
  });

  it("has its exit code and restarts", () => {
    const failed = attemptOf(1, { outcome: "Failed", exitCode: 1, restarts: 2 });
    expect(textOf(failed)).toMatch(/^report-1: Failed \(exit code 1\); .*; 2 restarts$/);
  });

  it("says if it is unknown who deleted it", () => {
    expect(textOf(attemptOf(1, { deletedAt: second(9) }))).toMatch(/; deleted \d\d:\d\d:\d\d, by an unknown actor$/);
  });
});

describe("the text alternative of the timeline", () => {
  it("counts the Pods by outcome, and the deleted ones", () => {
    const picture = groupOf([
      attemptOf(1, { deletedAt: second(9) }),
      attemptOf(2),
      attemptOf(3, { outcome: "Failed", exitCode: 1 }),
    ]);
    expect(pictureText(picture)).toMatch(/^3 Pods from .* to .*: 2 Succeeded, 1 Failed; 1 deleted\. The table/);
  });
});
