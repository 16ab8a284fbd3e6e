import type { HintFact } from "../../job/model/fact.ts";
import { instantOf } from "../../job/model/fact-instant.ts";
import type { JobRecord } from "../../job/model/job-record.ts";

/** More than the clocks of a cluster differ. The times of objects are truncated to seconds. */
const SLACK_MS = 5_000;

/**
 * Whether a hint under the name of the Job or of one of its Pods is about this Job, not about another one of the same
 * name. If the hint has no uid, like most audit events, its instant must be within the lifetime of the Job.
 */
export function isAboutJob({ job, pods }: JobRecord): (hint: HintFact) => boolean {
  const podUids: ReadonlySet<string> = new Set(pods.keys());
  const from = (job.created?.createdAt ?? -Infinity) - SLACK_MS;
  const to = ((job.deleted ?? job.vanished)?.at ?? Infinity) + SLACK_MS;
  return (hint) => {
    const { kind, uid } = hint.target;
    if (kind !== "Job" && kind !== "Pod") return true;
    if (uid !== undefined) return kind === "Job" ? uid === job.uid : podUids.has(uid);
    const at = instantOf(hint);
    return at >= from && at <= to;
  };
}
