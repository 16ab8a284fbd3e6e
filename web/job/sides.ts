import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { JobStatus } from "../../src/job/status/job-status.ts";

/** One line of the comparison: what Kubernetes said, what the Pods came to, what follows from all facts. */
export interface SideLine {
  readonly what: string;
  readonly reported: string | undefined;
  readonly observed: string | undefined;
  readonly status: string | undefined;
  /** Those that say something do not say the same. */
  readonly differs: boolean;
}

/** The three sides line by line; what no side has is left out. */
export function compareSides({ reported, pods, status }: JobAnswer): readonly SideLine[] {
  const said = reported?.status;
  return [
    counter("succeeded", said, pods.succeeded, status),
    counter("failed", said, pods.failed, status),
    counter("active", said, pods.active, status),
    counter("terminating", said, pods.terminating, status),
    counter("ready", said, undefined, status),
    line("outcome unknown", undefined, pods.unknown === 0 ? undefined : `${pods.unknown}`, undefined),
    line("completedIndexes", said?.completedIndexes, undefined, status.completedIndexes),
    line("failedIndexes", said?.failedIndexes, undefined, status.failedIndexes),
    line("conditions", said && conditions(said), undefined, conditions(status)),
    line("startTime", said?.startTime, undefined, status.startTime),
    line("completionTime", said?.completionTime, undefined, status.completionTime),
  ].filter((side) => [side.reported, side.observed, side.status].some((text) => text !== undefined && text !== "0"));
}

type Counter = "succeeded" | "failed" | "active" | "terminating" | "ready";

/** A counter that Kubernetes leaves out is 0. */
function counter(
  what: Counter,
  said: JobStatus | undefined,
  observed: number | undefined,
  status: JobStatus,
): SideLine {
  return line(
    what,
    said && `${said[what] ?? 0}`,
    observed === undefined ? undefined : `${observed}`,
    `${status[what] ?? 0}`,
  );
}

function line(
  what: string,
  reported: string | undefined,
  observed: string | undefined,
  status: string | undefined,
): SideLine {
  const told = new Set([reported, observed, status].filter((text) => text !== undefined && text !== ""));
  // A side that says nothing where another one does is a difference too, where both could say it.
  const silent = (reported ?? "") !== (status ?? "") && observed === undefined && what !== "outcome unknown";
  return { what, reported, observed, status, differs: told.size > 1 || silent };
}

function conditions({ conditions: all = [] }: JobStatus): string | undefined {
  const standing = all.filter((condition) => condition.status === "True");
  if (standing.length === 0) return undefined;
  return standing.map(({ type, reason }) => (reason ? `${type} (${reason})` : type)).join(", ");
}
