import type { Finding, FindingKind, JobAnswer } from "../../src/explain/answer-document.ts";
import { KINDS } from "./finding-kinds.ts";

/** A Job with the finding that puts it into the group. */
export interface Concern {
  readonly job: JobAnswer;
  readonly finding: Finding;
}

export interface ConcernGroup {
  readonly kind: FindingKind;
  readonly concerns: readonly Concern[];
  /** How many of the failed Jobs were ended by what: `BackoffLimitExceeded` 12. Most first. */
  readonly reasons: readonly (readonly [string, number])[];
}

/** Findings by kind, in the order of urgency; a Job is in each group of which it has a finding, once. */
export function concernGroups(jobs: readonly JobAnswer[]): readonly ConcernGroup[] {
  return KINDS.map((kind) => groupOf(kind, jobs)).filter(({ concerns }) => concerns.length > 0);
}

function groupOf(kind: FindingKind, jobs: readonly JobAnswer[]): ConcernGroup {
  const concerns = jobs.flatMap((job) => {
    const finding = job.findings.find((one) => one.kind === kind);
    return finding === undefined ? [] : [{ job, finding }];
  });
  return { kind, concerns, reasons: kind === "LimitReached" ? reasonsOf(concerns) : [] };
}

function reasonsOf(concerns: readonly Concern[]): ConcernGroup["reasons"] {
  const byReason = Map.groupBy(concerns, ({ job }) => job.verdict.reason ?? "no reason given");
  return [...byReason].map(([reason, { length }]) => [reason, length] as const).sort((a, b) => b[1] - a[1]);
}
