import { describe, expect, it } from "vitest";
import { judge, type Judged } from "../../src/notify/judge.ts";
import type { Subject } from "../../src/notify/subject.ts";
import type { Rule } from "../../src/notify/rules/rules.ts";
import { failedJob, ruleOf, runningJob } from "../support/story/notified.ts";

/** The messages of the rules about each subject, in order. */
function story(rules: readonly Rule[], subjects: readonly Subject[]): readonly string[] {
  let record: Judged["record"];
  return subjects.flatMap((subject, index) => {
    const judged = judge(rules, { subject, previous: subjects[index - 1], record });
    record = judged.record ?? record;
    return judged.transitions.map(({ rule, kind, version, firstVersion, isAnnounced }) =>
      [rule.name, kind, `v${version}`, `of v${firstVersion}`, ...(isAnnounced ? [] : ["not announced"])].join(" "),
    );
  });
}

const rule = ruleOf();
const waiting = [{ kind: "Waiting", message: "w" }];

describe("rules about the changes of a subject", () => {
  it("say something once, however often the same condition comes", () => {
    expect(story([rule], [runningJob(), failedJob(), failedJob(), failedJob({ headline: "other words" })])).toEqual([
      "failures opened v1 of v1",
    ]);
  });

  it("store nothing about a subject that no rule matched", () => {
    expect(judge([rule], { subject: runningJob(), record: undefined })).toEqual({ transitions: [] });
  });

  it("correct the first message when the reason or cause changes", () => {
    const corrected = failedJob({ cause: "application" });
    expect(story([rule], [failedJob(), corrected, failedJob({ reason: "DeadlineExceeded" })])).toEqual([
      "failures opened v1 of v1",
      "failures changed v2 of v1",
      "failures changed v3 of v1",
    ]);
  });

  it("say nothing about a finding that they do not name", () => {
    expect(story([rule], [failedJob(), failedJob({ findings: waiting })])).toEqual(["failures opened v1 of v1"]);
  });

  it("correct a final state that was wrong, even if they do not announce the end", () => {
    const complete = runningJob({ state: "Complete", final: true });
    expect(story([rule], [failedJob(), complete])).toEqual(["failures opened v1 of v1", "failures resolved v2 of v1"]);
  });

  it("announce the end of a condition that could end only if they say so", () => {
    const quiet = ruleOf({ name: "quiet", match: { states: [], findings: ["Waiting"] } });
    const subjects = [runningJob({ findings: waiting }), runningJob(), runningJob({ findings: waiting })];
    expect(story([quiet, { ...quiet, name: "loud", resolve: true }], subjects)).toEqual([
      "quiet opened v1 of v1",
      "loud opened v1 of v1",
      "quiet resolved v2 of v1 not announced",
      "loud resolved v2 of v1",
      "quiet opened v3 of v3",
      "loud opened v3 of v3",
    ]);
  });

  it("say nothing about what they would have matched before they were known", () => {
    const [before, after] = [failedJob(), failedJob({ findings: waiting })];
    expect(judge([rule], { subject: after, previous: before, record: undefined })).toEqual({ transitions: [] });
    expect(story([rule], [runningJob(), failedJob()])).toHaveLength(1);
  });

  it("that get thresholds of a series do not go on with what they matched before", () => {
    const before = ruleOf({ name: "runs", match: { states: [], findings: ["MissedRun"] } });
    const cronJob = runningJob({ kind: "CronJob", findings: [{ kind: "MissedRun", message: "m" }], runs: [] });
    const { record } = judge([before], { subject: cronJob, record: undefined });
    const series = { failureThreshold: 1, recoveryThreshold: 1 };
    const after = ruleOf({ name: "runs", match: { states: [], findings: [] }, series });
    const later = judge([after], { subject: { ...cronJob, findings: [] }, record });
    expect(later.transitions.map(({ kind }) => kind)).toEqual(["resolved"]);
  });

  it("judge each rule by itself", () => {
    const other = ruleOf({ name: "waiting", match: { states: [], findings: ["Waiting"] } });
    expect(story([rule, other], [failedJob({ findings: waiting })])).toEqual([
      "failures opened v1 of v1",
      "waiting opened v1 of v1",
    ]);
  });
});

describe("rules about traces", () => {
  const traces = ruleOf({ name: "all", match: { states: [], findings: [] }, traces: true });
  const failed = failedJob({ trace: "whole" });

  it("send a trace when the run is final, and again if anything that it shows changes", () => {
    const subjects = [
      runningJob(),
      failed,
      failed,
      { ...failed, findings: waiting },
      { ...failed, cause: "application" },
    ];
    expect(story([traces], subjects)).toEqual(["all opened v1 of v1", "all changed v2 of v1", "all changed v3 of v1"]);
  });

  it("send it again when the last Pod has ended", () => {
    const partial = failedJob({ trace: "partial" });
    expect(story([traces], [runningJob(), partial, partial, failed])).toEqual([
      "all opened v1 of v1",
      "all changed v2 of v1",
    ]);
  });

  it("send the correction of a run that they no longer match", () => {
    const failures = { ...traces, match: { states: ["Failed"], findings: [] } } as const;
    const complete = { ...failed, state: "Complete" } as const;
    expect(story([failures], [failed, complete])).toEqual(["all opened v1 of v1", "all resolved v2 of v1"]);
  });
});
