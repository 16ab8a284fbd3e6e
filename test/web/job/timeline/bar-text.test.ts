import { describe, expect, it } from "vitest";
import { attemptText } from "../../../../web/job/timeline/bar-text.ts";
import { attemptOf } from "../../../support/story/listed-attempt.ts";
import { second } from "../../../support/story/listed-job.ts";

describe("the text of a Pod in the timeline", () => {
  it("has its name, outcome, times and node", () => {
    expect(attemptText(attemptOf(1, { node: "node-1" }))).toMatch(
      /^report-1: Succeeded; created \d\d:\d\d:\d\d, ran 3s on node-1$/,
    );
  });

  it("has its exit code and restarts", () => {
    const failed = attemptOf(1, { outcome: "Failed", exitCode: 1, restarts: 2 });
    expect(attemptText(failed)).toMatch(/^report-1: Failed \(exit code 1\); .*; 2 restarts$/);
  });

  it("says if it is unknown who deleted it", () => {
    expect(attemptText(attemptOf(1, { deletedAt: second(9) }))).toMatch(
      /; deleted \d\d:\d\d:\d\d, by an unknown actor$/,
    );
  });
});
