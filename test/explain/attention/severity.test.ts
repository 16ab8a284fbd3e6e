import { describe, expect, it } from "vitest";
import { severityOfCronFinding, severityOfJob, severityOfRun } from "../../../src/explain/attention/severity.ts";
import { RUN_STATES, type State } from "../../../src/job/model/states.ts";
import { CRON_FINDING_KINDS } from "../../../src/parents/cron-job/cron-findings.ts";

interface Case {
  readonly state: State;
  readonly final: boolean;
  readonly deletedAt?: string;
  readonly isOver?: boolean;
}

describe("the severity of a Job", () => {
  it.each<[string, Case]>([
    ["failed", { state: "Failed", final: true }],
    ["failed", { state: "Failed", final: true, deletedAt: "2026-01-01T00:00:00Z", isOver: true }],
    ["atRisk", { state: "Failed", final: false }],
    ["atRisk", { state: "Running", final: false }],
    ["atRisk", { state: "Suspended", final: false }],
    ["cleanedUp", { state: "Complete", final: true }],
    ["cleanedUp", { state: "Deleted", final: false, deletedAt: "2026-01-01T00:00:00Z" }],
    ["cleanedUp", { state: "Unknown", final: false, isOver: true }],
  ])("is %s for %o", (severity, { state, final, isOver = false, ...deleted }) => {
    expect(severityOfJob({ verdict: { state, final, basis: "both" }, ...deleted }, isOver)).toBe(severity);
  });
});

describe("the severity of a run", () => {
  it("follows from its state, unless that is unknown", () => {
    expect(RUN_STATES.map((state) => `${state}: ${severityOfRun(state)}`)).toEqual([
      "Pending: atRisk",
      "Queued: atRisk",
      "Running: atRisk",
      "Suspended: atRisk",
      "Complete: cleanedUp",
      "Failed: failed",
      "Deleted: cleanedUp",
      "Unknown: undefined",
    ]);
  });
});

describe("the severity of a finding of a CronJob", () => {
  it("is failed if runs are missing or failed", () => {
    expect(CRON_FINDING_KINDS.filter((kind) => severityOfCronFinding(kind) === "failed")).toEqual([
      "MissedRun",
      "ConsecutiveFailures",
    ]);
  });
});
