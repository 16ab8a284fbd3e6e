import type { JobAnswer, JobChange } from "../../explain/answer-document.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { listedState } from "../job-state/derive-row.ts";
import type { JobState } from "../job-state/job-state.ts";

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
