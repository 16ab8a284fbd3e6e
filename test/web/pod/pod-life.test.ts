import { describe, expect, it } from "vitest";
import type { Attempt } from "../../../src/explain/answer-document.ts";
import { gapsDuring, layOutPod, lifeOf, podSentence, runSpan } from "../../../web/pod/pod-life.ts";
import { attemptOf } from "../../support/story/listed-attempt.ts";
import { second } from "../../support/story/listed-job.ts";

const run = { name: "work", exitCode: 1, startedAt: second(2), finishedAt: second(5), restartCount: 0 };

describe("a Pod in a sentence", () => {
  it.each<[Partial<Attempt>, string]>([
    [{ countedAs: "succeeded" }, "Succeeded; counted as a success."],
    [
      { outcome: "Failed", cause: "container work exited with code 1", countedAs: "failed" },
      "Failed: container work exited with code 1; counted as a failure.",
    ],
    [{ outcome: "Failed", message: "The node was low on memory" }, "Failed: The node was low on memory."],
    [{ outcome: "Active", index: 7 }, "Active, of index 7."],
    [
      { outcome: "Failed", countedAs: "ignored" },
      "Failed; not counted, because a rule of podFailurePolicy ignores it.",
    ],
    [{ outcome: "Failed", countedAs: "void" }, "Failed; not counted."],
  ])("with %o is %j", (fields, sentence) => {
    expect(podSentence(attemptOf(1, fields))).toBe(sentence);
  });
});

describe("the life of a Pod", () => {
  it("has the known steps, each with the time since the one before", () => {
    const attempt = attemptOf(1, { scheduledAt: second(1), deletedAt: second(9) });
    expect(lifeOf(attempt).map(({ text, after }) => [text, after])).toEqual([
      ["Created", undefined],
      ["Scheduled", "0s"],
      ["Started", "1s"],
      ["Ended", "3s"],
      ["Deleted", "4s"],
    ]);
  });

  it("has no span between times that are in the wrong order", () => {
    const attempt = attemptOf(5, { startedAt: second(3), finishedAt: second(9) });
    expect(lifeOf(attempt)[1]).toMatchObject({ text: "Started", after: undefined });
  });

  it("overlaps with the gaps that began before it ended and ended after it began", () => {
    const gaps = [
      { from: second(0), to: second(1) },
      { from: second(0), to: second(3) },
      { from: second(8), to: second(20) },
      { from: second(9), to: second(20) },
    ].map((gap) => ({ ...gap, resources: ["pods"], reason: "restart" }));
    const during = gapsDuring(gaps, attemptOf(1, { deletedAt: second(9) }));
    expect(during.map(({ from }) => from)).toEqual([second(0), second(8)]);
    const { deletedAt: _, ...kept } = attemptOf(1);
    expect(gapsDuring(gaps, kept)).toHaveLength(3);
  });
});

describe("a run of a container", () => {
  it("has a duration if its start and its end are known", () => {
    expect(runSpan(run)).toBe("3s");
    expect(runSpan({ name: "work", exitCode: 1, restartCount: 0 })).toBeUndefined();
  });
});

describe("the timeline of a Pod", () => {
  it("has the Pod, then each run of a container whose start is known, until the last data", () => {
    const attempt = attemptOf(1, { containers: [run, { ...run, restartCount: 1 }, { name: "x", restartCount: 0 }] });
    const { to, groups } = layOutPod(attempt, [Date.parse(second(30))]);
    expect(groups[0]?.bars.map(({ name, outcome }) => [name, outcome])).toEqual([
      ["report-1", "Succeeded"],
      ["└ work", "Failed"],
      ["└ work (restart 1)", "Failed"],
    ]);
    expect(to).toBe(Date.parse(second(30)));
    expect(groups[0]?.bars[1]?.describe()).toMatch(/^work: exit code 1 ; started \d\d:\d\d:\d\d, ended/);
  });
});
