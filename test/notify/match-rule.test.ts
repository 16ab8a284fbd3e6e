import { describe, expect, it } from "vitest";
import { maintenanceOf, matchRule } from "../../src/notify/match-rule.ts";
import type { RuleMatch } from "../../src/notify/rules/rules.ts";
import type { Subject } from "../../src/notify/subject.ts";
import { parseLabelSelector } from "../../src/query/list/label-selector.ts";
import { failedJob, ruleOf, runningJob } from "../support/story/notified.ts";

function selector(text: string) {
  const parsed = parseLabelSelector(text);
  return parsed.outcome === "parsed" ? parsed.selector : [];
}

const missed: Subject = {
  ...runningJob(),
  kind: "CronJob",
  name: "charge",
  findings: [{ kind: "MissedRun", message: "m" }],
};
const { owner: _, state: _state, ...cronJob } = missed;

describe("a rule", () => {
  it.each<[string, Partial<RuleMatch>, boolean]>([
    ["a state", { states: ["Failed"] }, true],
    ["another state", { states: ["Complete"] }, false],
    ["a cluster pattern", { clusters: ["staging", "prod-*"] }, true],
    ["another cluster", { clusters: ["staging"] }, false],
    ["no cluster", { clusters: [] }, false],
    ["a namespace", { namespaces: ["payments"] }, true],
    ["another namespace", { namespaces: ["pay"] }, false],
    ["a name", { names: ["charge-*"] }, true],
    ["an owner's name", { owners: ["charge"] }, true],
    ["an owner with its kind", { owners: ["CronJob/*"] }, true],
    ["another owner", { owners: ["Workflow/*"] }, false],
    ["a label", { selector: selector("team=billing") }, true],
    ["another label", { selector: selector("team!=billing") }, false],
    ["every problem", { states: [], findings: [] }, true],
  ])("of %s: whether it matches a failed Job", (_name, match, matches) => {
    const rule = ruleOf({ match: { states: ["Failed"], findings: [], ...match } });
    expect(matchRule(rule, failedJob()) !== undefined).toBe(matches);
  });

  it("matches the state or one of its findings, and says which", () => {
    const rule = ruleOf({ match: { states: ["Failed"], findings: ["PhantomRunning", "Waiting"] } });
    const findings = [
      { kind: "Waiting", message: "w" },
      { kind: "StatusBehind", message: "s" },
    ];
    expect(matchRule(rule, runningJob({ findings }))).toEqual({ findings: ["Waiting"] });
    expect(matchRule(rule, failedJob({ findings }))).toEqual({
      state: "Failed",
      reason: "BackoffLimitExceeded",
      cause: "oom",
      findings: ["Waiting"],
    });
    expect(matchRule(rule, runningJob())).toBeUndefined();
  });

  it("matches a CronJob by its findings and its name as the owner", () => {
    const rule = ruleOf({ match: { states: [], findings: ["MissedRun"], owners: ["CronJob/charge"] } });
    expect(matchRule(rule, cronJob)).toEqual({ findings: ["MissedRun"] });
    expect(matchRule(ruleOf({ match: { states: ["Failed"], findings: [] } }), cronJob)).toBeUndefined();
    expect(matchRule(ruleOf({ match: { states: [], findings: [], owners: ["x"] } }), cronJob)).toBeUndefined();
  });

  it("of an owner matches no Job without one", () => {
    const { owner: _owner, ...orphan } = failedJob();
    expect(matchRule(ruleOf({ match: { states: ["Failed"], findings: [], owners: ["*"] } }), orphan)).toBeUndefined();
  });

  it("among 10,000 is found without reading the others twice", () => {
    const rules = Array.from({ length: 10_000 }, (_unused, index) =>
      ruleOf({ name: `r${index}`, match: { states: [], findings: [], namespaces: [`*team-${index}`] } }),
    );
    const found = rules.filter((rule) => matchRule(rule, failedJob({ namespace: "a-team-9999" })) !== undefined);
    expect(found.map(({ name }) => name)).toEqual(["r9999"]);
  });
});

describe("a maintenance interval", () => {
  const interval = { from: 100, to: 200, clusters: ["prod-eu"] };
  it.each([
    [99, false],
    [100, true],
    [199, true],
    [200, false],
  ])("from 100 to 200 contains %d: %j", (now, contains) => {
    expect(maintenanceOf([interval], failedJob(), now) !== undefined).toBe(contains);
  });
  it("concerns its clusters only", () => {
    expect(maintenanceOf([interval], failedJob({ cluster: "prod-us" }), 150)).toBeUndefined();
  });
});

describe("a rule about traces", () => {
  const traces = ruleOf({ match: { states: [], findings: [] }, traces: true });
  const complete = failedJob({ state: "Complete", trace: "whole" });

  it("matches every run that is final, however it ended, and no other subject", () => {
    expect(matchRule(traces, complete)).toMatchObject({ state: "Complete", trace: "whole" });
    expect(matchRule(traces, failedJob({ trace: "partial" }))).toMatchObject({ state: "Failed", trace: "partial" });
    expect(matchRule(traces, failedJob())).toBeUndefined();
  });

  it.each([
    [{ states: ["Failed"], findings: [] }, false],
    [{ states: ["Complete"], findings: [] }, true],
    [{ states: ["Failed"], findings: ["ReRunAfterSuccess"] }, true],
    [{ states: [], findings: ["PhantomRunning"] }, false],
    [{ states: [], findings: [], namespaces: ["other"] }, false],
  ] as const)("with the match %j matches a complete run with re-runs: %s", (match, expected) => {
    const findings = [{ kind: "ReRunAfterSuccess", message: "m" }];
    expect(matchRule({ ...traces, match }, { ...complete, findings }) !== undefined).toBe(expected);
  });
});
