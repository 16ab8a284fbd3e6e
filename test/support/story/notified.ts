import type { Rule } from "../../../src/notify/rules/rules.ts";
import type { Subject } from "../../../src/notify/subject.ts";

/** A rule of failed Jobs for the receiver `hook`. */
export function ruleOf(said: Partial<Rule> = {}): Rule {
  return {
    name: "failures",
    match: { states: ["Failed"], findings: [] },
    forMillis: 0,
    to: ["hook"],
    resolve: false,
    ...said,
  };
}

/** A Job that runs. */
export function runningJob(said: Partial<Subject> = {}): Subject {
  return {
    kind: "Job",
    uid: "u1",
    cluster: "prod-eu",
    namespace: "payments",
    name: "charge-1",
    labels: { team: "billing" },
    owner: { kind: "CronJob", name: "charge" },
    state: "Running",
    findings: [],
    headline: "Running.",
    at: "2026-06-01T00:00:00Z",
    ...said,
  };
}

/** The same Job, failed for good. */
export function failedJob(said: Partial<Subject> = {}): Subject {
  const failed = { state: "Failed", reason: "BackoffLimitExceeded", final: true, cause: "oom" } as const;
  return runningJob({ ...failed, headline: "Failed: OOMKilled in 3 of 3 attempts.", ...said });
}
