import type { Finding, JobAnswer } from "../../src/explain/answer-document.ts";
import type { FindingKind } from "../../src/explain/findings/finding-kinds.ts";
import { KINDS } from "./finding-kinds.ts";

/** A Job with one of its findings. */
export interface JobFinding {
  readonly job: JobAnswer;
  readonly finding: Finding;
}

export interface FindingGroup {
  readonly kind: FindingKind;
  readonly jobFindings: readonly JobFinding[];
  /** Why the Jobs failed, with counts, the most frequent first: `BackoffLimitExceeded` 12. */
  readonly reasons: readonly (readonly [string, number])[];
}

/** Groups Jobs by kind of finding, the most urgent first. A Job is once in each group for which it has a finding. */
export function findingGroups(jobs: readonly JobAnswer[]): readonly FindingGroup[] {
  return KINDS.map((kind) => groupOf(kind, jobs)).filter(({ jobFindings }) => jobFindings.length > 0);
}

function groupOf(kind: FindingKind, jobs: readonly JobAnswer[]): FindingGroup {
  const jobFindings = jobs.flatMap((job) => {
    const finding = job.findings.find((one) => one.kind === kind);
    return finding === undefined ? [] : [{ job, finding }];
  });
  return { kind, jobFindings, reasons: kind === "LimitReached" ? reasonsOf(jobFindings) : [] };
}

function reasonsOf(jobFindings: readonly JobFinding[]): FindingGroup["reasons"] {
  const byReason = Map.groupBy(jobFindings, ({ job }) => job.verdict.reason ?? "no reason given");
  return [...byReason].map(([reason, { length }]) => [reason, length] as const).sort((a, b) => b[1] - a[1]);
}
