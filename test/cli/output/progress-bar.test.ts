import { describe, expect, it } from "vitest";
import { showProgress } from "../../../cli/output/progress-bar.ts";

const CLEAR_LINE = "\r\u001b[K";

function terminal(isTTY = true) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

describe("a progress bar", () => {
  it("shows what is done of the total, and disappears at the end", () => {
    const screen = terminal();
    const progress = showProgress("Verifying Jobs", screen);
    progress.at(1, 4);
    progress.stop();
    expect(screen.written).toEqual([
      `${CLEAR_LINE}Verifying Jobs ${"█".repeat(10)}${"░".repeat(30)} 25 % (1 of 4)`,
      CLEAR_LINE,
    ]);
  });

  it("is written once for each percentage, however often its caller reports", () => {
    const screen = terminal();
    const progress = showProgress("Verifying Jobs", screen);
    for (let done = 0; done <= 10_000; done++) progress.at(done, 10_000);
    expect(screen.written).toHaveLength(101);
  });

  it.each([
    ["nothing to do is complete", 0, 0, "100 %"],
    ["a total that was estimated too low is complete", 5, 4, "100 %"],
    ["a part that is not yet a whole percentage is not shown", 999, 1_000, "99 %"],
  ])("%s", (_, done, total, expected) => {
    const screen = terminal();
    showProgress("Verifying Jobs", screen).at(done, total);
    expect(screen.written.join("")).toContain(expected);
  });

  it("is not written where standard error is no terminal", () => {
    const screen = terminal(false);
    const progress = showProgress("Verifying Jobs", screen);
    progress.at(1, 4);
    progress.stop();
    expect(screen.written).toEqual([]);
  });

  it("is not cleared if nothing was reported", () => {
    const screen = terminal();
    showProgress("Verifying Jobs", screen).stop();
    expect(screen.written).toEqual([]);
  });
});
