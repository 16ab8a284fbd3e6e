import { emptyRun, joinRunFacts } from "../../../explain/run/run-record.ts";
import { decodeJobUid } from "../../../job/model/ids.ts";
import { EARLIEST, type Instant } from "../../../job/model/instant.ts";
import { encodedRun, type RunStores, withJobs } from "../../../projection/run-state/project-run.ts";
import { decodeRun, RunUnreadableError } from "../../../projection/run-state/run-state.ts";
import type { BucketJoiner } from "./join-bucket.ts";
import { decodePartialRun, encodePartialRun, type PartialRun } from "./partial-runs.ts";

export interface RunJoin {
  /** The corrected Jobs of the idle projection. */
  readonly jobs: RunStores["jobs"];
  /** The log was spread up to here. */
  readonly since: Instant;
}

/**
 * Joins what was spread about each run, with what its Jobs show. A run without facts and Jobs is not stored: the log
 * may still name Jobs that retention has deleted.
 */
export function joinerOfRuns({ jobs, since }: RunJoin): BucketJoiner {
  return {
    kinds: { log: "runs", table: "runTable" },
    join: async (key, partials) => {
      const parts = partials.map(decodePartialRun);
      const facts = parts.flatMap((part) => part.facts);
      const uids = new Set(parts.flatMap((part) => [...part.jobs]));
      const record = await withJobs(jobs, joinRunFacts(emptyRun(key.jobUid), facts), { key, jobs: uids });
      if (record.parents.size + record.jobs.size === 0) return undefined;
      return { state: encodedRun(record), latestAt: facts.reduce((latest, { at }) => Math.max(latest, at), EARLIEST) };
    },
    lateOf: async (key, { bytes, summary = bytes }) => {
      const { facts, jobs: uids } = observedSince(key.jobUid, summary, since);
      return facts.length + uids.size === 0 ? undefined : encodePartialRun({ facts, jobs: uids });
    },
  };
}

/** A stored run does not name its segments, as a Job does. What was observed since an instant has arrived since. */
function observedSince(uid: string, bytes: Uint8Array, since: Instant): PartialRun {
  try {
    const { parents, jobs } = decodeRun(uid, bytes);
    const facts = [...parents.values()].flatMap(({ first, last, deleted }) =>
      [first, last, deleted].filter((fact) => fact !== undefined),
    );
    const late = [...jobs].filter(([, { job }]) => job.createdAt >= since);
    return {
      facts: facts.filter(({ at }) => at >= since),
      jobs: new Set(late.flatMap(([jobUid]) => decodeJobUid(jobUid) ?? [])),
    };
  } catch (cause) {
    if (!(cause instanceof RunUnreadableError)) throw cause;
    return { facts: [], jobs: new Set() };
  }
}
