import { emptyRun, type RunRecord } from "../../../explain/run/run-record.ts";
import { decodeJobUid, type JobUid } from "../../../job/model/ids.ts";
import { EARLIEST, type Instant } from "../../../job/model/instant.ts";
import { objectAbove, runsBelow } from "../../../parents/run/object-above.ts";
import type { Retry } from "../../../ports/concurrency/retry.ts";
import {
  encodedRun,
  projectRun,
  type RunStores,
  storedRecords,
  withChange,
} from "../../../projection/run-state/project-run.ts";
import { decodeRun, RunUnreadableError } from "../../../projection/run-state/run-state.ts";
import type { BucketJoiner } from "./join-bucket.ts";
import { decodePartialRun, encodePartialRun, type PartialRun } from "./partial-runs.ts";

export interface RunJoin {
  /** The corrected Jobs of the idle projection. */
  readonly jobs: RunStores["jobs"];
  /** The runs of the same projection, some of which are corrected. */
  readonly runs: RunStores["runs"];
  readonly retry: Retry;
  /** The log was spread up to here. */
  readonly since: Instant;
}

/**
 * Joins what was spread about each run, with what its Jobs show. A run without facts and Jobs is not stored: the log
 * may still name Jobs that retention has deleted.
 */
export function joinerOfRuns({ jobs, runs, retry, since }: RunJoin): BucketJoiner {
  const source = { jobs, recordAt: storedRecords(runs) };
  const linked = new Set<JobUid>();
  return {
    kinds: { log: "runs", table: "runTable" },
    join: async (key, partials) => {
      const parts = partials.map(decodePartialRun);
      const facts = parts.flatMap((part) => part.facts);
      const uids = new Set(parts.flatMap((part) => [...part.jobs]));
      const record = await withChange(source, emptyRun(key.jobUid), { key, facts, jobs: uids });
      if (isLinked(record)) linked.add(key.jobUid);
      if (record.parents.size + record.jobs.size === 0) return undefined;
      return { state: encodedRun(record), latestAt: facts.reduce((latest, { at }) => Math.max(latest, at), EARLIEST) };
    },
    corrected: async (key) => {
      if (linked.has(key.jobUid)) await projectRun({ jobs, runs }, { key, facts: [], jobs: new Set() }, retry);
    },
    lateOf: async (key, { bytes, summary = bytes }) => {
      const { facts, jobs: uids } = observedSince(key.jobUid, summary, since);
      return facts.length + uids.size === 0 ? undefined : encodePartialRun({ facts, jobs: uids });
    },
  };
}

/** Whether it is below or above another one, which another bucket has. */
function isLinked({ uid, parents }: RunRecord): boolean {
  const first = parents.get(uid)?.first;
  return runsBelow(uid, parents).length > 0 || (first !== undefined && objectAbove(first) !== undefined);
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
