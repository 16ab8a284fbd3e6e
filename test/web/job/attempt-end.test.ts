import { describe, expect, it } from "vitest";
import type { Attempt } from "../../../src/explain/answer-document.ts";
import { endOf, ranFor } from "../../../web/job/attempt-end.ts";
import { attemptOf } from "../../support/story/listed-attempt.ts";

describe("the end of a Pod", () => {
  it.each<[Partial<Attempt>, string]>([
    [{ exitCode: 0, reason: "Completed" }, ""],
    [{ outcome: "Failed", exitCode: 137, reason: "OOMKilled" }, "exit code 137, OOMKilled"],
    [{ outcome: "Failed", exitCode: 0 }, "exit code 0"],
    [{ outcome: "Failed", exitCode: 1, category: "unknown" }, "exit code 1"],
    [{ outcome: "Failed", reason: "a\u202eb" }, "a⟨U+202E⟩b"],
  ])("with %o is %j", (fields, text) => {
    expect(endOf(attemptOf(1, fields))).toBe(text);
  });
});

describe("the duration of a Pod", () => {
  it("is the time from its start to its end", () => {
    expect(ranFor(attemptOf(1))).toBe("3s");
  });

  it("is a dash for a Pod that has not ended", () => {
    const { finishedAt: _, ...running } = attemptOf(1);
    expect(ranFor(running)).toBe("–");
  });
});
