import type { JobAnswer } from "../../explain/answer-document.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { State } from "../../job/model/states.ts";
import { listedState } from "../job-state/derive-row.ts";
import type { JobState } from "../job-state/job-state.ts";

/** A status change: a new verdict, new findings, or a deletion. */
export interface JobChange {
  /** The previous state. Absent for a new Job. */
  readonly previous?: State;
  /** The Job as lists show it, right after the change. */
  readonly job: JobAnswer;
}

/** The status change since an earlier state of a Job; `undefined` if its status stays the same. */
export function changeSince(before: JobState, { cluster, listed, seenAt }: ListedChange): JobChange | undefined {
  const previous = listedState(cluster, before, seenAt);
  if (previous === undefined) return { job: listed };
  return hasSameStatus(previous, listed) ? undefined : { previous: previous.verdict.state, job: listed };
}

/** A Job as lists show it after its latest facts. */
interface ListedChange {
  readonly cluster: ClusterName;
  readonly listed: JobAnswer;
  readonly seenAt: Instant;
}

function hasSameStatus(a: JobAnswer, b: JobAnswer): boolean {
  return (
    a.verdict.state === b.verdict.state &&
    a.verdict.reason === b.verdict.reason &&
    a.verdict.final === b.verdict.final &&
    (a.deletedAt === undefined) === (b.deletedAt === undefined) &&
    kindsOf(a) === kindsOf(b)
  );
}

function kindsOf({ findings }: JobAnswer): string {
  return findings.map(({ kind }) => kind).join();
}
