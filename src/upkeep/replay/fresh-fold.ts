import { isJobFact } from "../../job/model/fact.ts";
import type { JobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { emptyJob, JobFold } from "../../job/model/job-record.ts";
import { itemsWithoutErased } from "../../log/erasure/without-erased.ts";
import type { Log, LogKey } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { LoggedSegment } from "../../projection/group-facts.ts";
import { EARLIEST_AT } from "../../projection/job-state/job-state.ts";
import { jobStateFrom, type JoinedJob } from "../../projection/job-state/join-job-state.ts";
import { joinSegments, type KeyedSegment, keyedSegment } from "../../projection/job-state/log-keys.ts";
import { readLogItem } from "../../projection/log-segment.ts";
import type { PageStore } from "../../projection/pages/page-tree.ts";
import { addSegments, noSegments } from "../../projection/job-state/segment-set.ts";

interface FoldedJob {
  seenAt: Instant;
  readonly segments: KeyedSegment[];
}

/** The Jobs of one cluster, projected in memory from segments only. */
export class FreshFold {
  readonly #fold = new JobFold();
  readonly #jobs = new Map<JobUid, FoldedJob>();
  readonly #wanted: (uid: JobUid) => boolean;

  /** Projects only Jobs that are `wanted`. */
  constructor(wanted: (uid: JobUid) => boolean = () => true) {
    this.#wanted = wanted;
  }

  get uids(): Iterable<JobUid> {
    return this.#jobs.keys();
  }

  has(uid: JobUid): boolean {
    return this.#jobs.has(uid);
  }

  add({ name, facts }: Pick<LoggedSegment, "name" | "facts">): void {
    const placed = keyedSegment(name);
    const seen = new Set<JobUid>();
    for (const fact of facts) {
      if (!isJobFact(fact) || !this.#wanted(fact.jobUid)) continue;
      this.#fold.add(fact);
      const job = this.#jobs.get(fact.jobUid) ?? { seenAt: EARLIEST_AT, segments: [] };
      job.seenAt = Math.max(job.seenAt, fact.at);
      if (!seen.has(fact.jobUid)) job.segments.push(placed);
      seen.add(fact.jobUid);
      this.#jobs.set(fact.jobUid, job);
    }
  }

  /** The names of the segments with facts of the Job. */
  segmentsOf(uid: JobUid): readonly KeyedSegment[] {
    return joinSegments([], this.#jobs.get(uid)?.segments ?? []);
  }

  /** The state that a projection must have. Its pages go to `store`. */
  async stateOf(uid: JobUid, store: PageStore): Promise<JoinedJob> {
    const record = this.#fold.records.get(uid) ?? emptyJob(uid);
    const seenAt = this.#jobs.get(uid)?.seenAt ?? EARLIEST_AT;
    return jobStateFrom(
      { record, segments: await addSegments(noSegments, this.segmentsOf(uid), store), seenAt },
      store,
    );
  }
}

/** Pages in memory, for a state that is only compared. */
export function throwAwayPages(): PageStore {
  const pages = new Map<string, Uint8Array>();
  return {
    read: async (hash) => pages.get(hash),
    write: async (hash, bytes) => {
      pages.set(hash, bytes);
    },
  };
}

/** A segment of the log, without what was erased; `undefined` if the log does not have it, or cannot decode it. */
export async function readSegment(
  { log, meta }: { readonly log: Log; readonly meta: MetaStore },
  key: LogKey,
): Promise<LoggedSegment | undefined> {
  const item = await log.read(key);
  const [left] = item === undefined ? [] : await itemsWithoutErased(meta, [item]);
  const read = left && readLogItem(left);
  return read?.outcome === "read" ? read.segment : undefined;
}
