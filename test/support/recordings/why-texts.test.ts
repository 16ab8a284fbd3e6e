import { describe, expect, it } from "vitest";
import { groupAlike, type WhyText } from "./why-texts.ts";

function textOf(job: string, ...lines: readonly string[]): WhyText {
  return { namespace: "default", job, headline: lines[0] ?? "", text: lines.join("\n") };
}

const ended = (job: string, time: string, exitCode: number) =>
  textOf(job, `Failed after 3 min: ${job}-x7k2p on node-a`, `${time}   17   pod/${job}-x7k2p   Failed (${exitCode}).`);

describe("texts of several Jobs", () => {
  it("are one group if they differ in names, times, durations and nodes only", () => {
    const first = ended("task-1", "2026-01-01T00:00:00Z", 1);
    const second = textOf(
      "task-2",
      "Failed after 9 s: task-2-abcde on node-b",
      "2026-03-01T00:00:00Z   42   pod/task-2-abcde   Failed (1).",
    );
    expect(groupAlike([first, second])).toEqual([{ first, jobs: ["task-1", "task-2"] }]);
  });

  it("are one group if a line is repeated more often", () => {
    const [once, twice] = [textOf("a", "x", "2 retries"), textOf("b", "x", "2 retries", "2 retries")];
    expect(groupAlike([once, twice])).toHaveLength(1);
  });

  it("are several groups if anything else differs", () => {
    const [one, two] = [ended("a", "2026-01-01T00:00:00Z", 1), ended("b", "2026-01-01T00:00:00Z", 2)];
    expect(groupAlike([one, two])).toEqual([
      { first: one, jobs: ["a"] },
      { first: two, jobs: ["b"] },
    ]);
  });
});
