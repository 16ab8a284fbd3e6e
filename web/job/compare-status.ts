import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { JobStatus } from "../../src/job/status/job-status.ts";

/** One field: what Kubernetes reported, what the Pods showed, and what follows from all facts. */
export interface StatusLine {
  readonly field: string;
  readonly reported: string | undefined;
  readonly observed: string | undefined;
  readonly derived: string | undefined;
  readonly differs: boolean;
}

/** Compares the three statuses field by field. A field that none of them has is omitted. */
export function compareStatus({ reported, pods, status }: JobAnswer): readonly StatusLine[] {
  const counter = (field: Counter, observed?: number): StatusLine =>
    statusLine(field, {
      reported: reported && counterOf(reported.status, field),
      observed: observed === undefined ? undefined : `${observed}`,
      derived: counterOf(status, field),
    });
  const text = (field: string, textOf: (from: JobStatus) => string | undefined): StatusLine =>
    statusLine(field, { reported: reported && textOf(reported.status), derived: textOf(status) });
  return [
    counter("succeeded", pods.succeeded),
    counter("failed", pods.failed),
    counter("active", pods.active),
    counter("terminating", pods.terminating),
    counter("ready"),
    statusLine(OUTCOME_UNKNOWN, { observed: pods.unknown === 0 ? undefined : `${pods.unknown}` }),
    text("completedIndexes", ({ completedIndexes }) => completedIndexes),
    text("failedIndexes", ({ failedIndexes }) => failedIndexes),
    text("conditions", trueConditions),
    text("startTime", ({ startTime }) => startTime),
    text("completionTime", ({ completionTime }) => completionTime),
  ].filter((line) => [line.reported, line.observed, line.derived].some((one) => one !== undefined && one !== "0"));
}

const OUTCOME_UNKNOWN = "outcome unknown";

type Counter = "succeeded" | "failed" | "active" | "terminating" | "ready";

/** Kubernetes omits a counter that is 0. */
function counterOf(status: JobStatus, field: Counter): string {
  return `${status[field] ?? 0}`;
}

interface Values {
  readonly reported?: string | undefined;
  readonly observed?: string | undefined;
  readonly derived?: string | undefined;
}

function statusLine(field: string, { reported, observed, derived }: Values): StatusLine {
  const present = new Set([reported, observed, derived].filter((text) => text !== undefined && text !== ""));
  // Only one of reported and derived having a value is a difference, too. "Outcome unknown" exists on one side only.
  const isOneSided = (reported ?? "") !== (derived ?? "") && observed === undefined && field !== OUTCOME_UNKNOWN;
  return { field, reported, observed, derived, differs: present.size > 1 || isOneSided };
}

function trueConditions({ conditions = [] }: JobStatus): string | undefined {
  const standing = conditions.filter((condition) => condition.status === "True");
  if (standing.length === 0) return undefined;
  return standing.map(({ type, reason }) => (reason ? `${type} (${reason})` : type)).join(", ");
}
