import type { HintFact } from "../../job/model/fact.ts";
import { instantOf } from "../../job/model/fact-instant.ts";
import type { JobRecord } from "../../job/model/job-record.ts";

/** Clocks in a cluster differ by less, and object times are cut to whole seconds. */
const SLACK_MS = 5_000;

/**
 * Whether a hint found by the Job's name, or by that of one of its Pods, is about this very Job: hints are kept by
 * name, and a name may have been used before and after. Where a hint names no uid, as most audit events do, the time in
 * which the Job was there decides.
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
