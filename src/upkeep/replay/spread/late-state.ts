import type { Instant } from "../../../job/model/instant.ts";
import type { JobKey, StateStore } from "../../../ports/jobs.ts";
import { decodeJobState, type InlineJob } from "../../../projection/job-state/job-state.ts";
import { wholeState } from "../../../projection/job-state/join-job-state.ts";
import { logKeyOf } from "../../../projection/job-state/log-keys.ts";
import { segmentNames } from "../../../projection/job-state/segment-set.ts";
import { pagesOf } from "../../../projection/pages/job-pages.ts";
import { PageUnreadableError } from "../../../projection/pages/page-ref.ts";
import { FreshFold, readSegment, throwAwayPages } from "../fresh-fold.ts";
import type { UnitStores } from "../units/read-unit.ts";

export interface LateStores extends UnitStores {
  readonly jobs: StateStore;
  /** The log was spread up to here. */
  readonly since: Instant;
}

/**
 * What a stored state has of segments that arrived since the log was spread, as the log has them; `undefined` if it has
 * none. A correction keeps it, because the replay may have read these segments already, and found them applied.
 */
export async function lateState(stores: LateStores, key: JobKey, bytes: Uint8Array): Promise<InlineJob | undefined> {
  const fold = new FreshFold((uid) => uid === key.jobUid);
  try {
    const { segments } = decodeJobState(key.jobUid, bytes);
    for await (const name of segmentNames(segments, pagesOf(stores.jobs, key))) {
      if (name.pack === undefined || name.pack.arrivedAt < stores.since) continue;
      const segment = await readSegment(stores, logKeyOf(key.cluster, name));
      if (segment !== undefined) fold.add(segment);
    }
  } catch (cause) {
    // No projector can join facts into such a state.
    if (!(cause instanceof PageUnreadableError || cause instanceof RangeError)) throw cause;
  }
  if (!fold.has(key.jobUid)) return undefined;
  const pages = throwAwayPages();
  return wholeState((await fold.stateOf(key.jobUid, pages)).state, pages);
}
