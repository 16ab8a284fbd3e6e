import { canonical } from "../../job/model/canonical.ts";
import type { EncodedJobState } from "../../ports/job-row.ts";
import type { JobKey } from "../../ports/jobs.ts";
import { PROBE_CLUSTER } from "../../ports/deployment/limits.ts";
import type { StreamedWrite } from "../../ports/streams/streamed-write.ts";
import { jobObjectOf } from "../job-state/job-state.ts";
import { decodableState } from "../job-state/stored-answer.ts";
import { type SeriesRun, seriesRunsOf } from "./series-runs.ts";

/** What writes of Jobs change about the runs of their series. A Job that retention deletes changes nothing. */
export function changedRuns(writes: readonly StreamedWrite[]): readonly SeriesRun[] {
  return writes.flatMap(({ key, isRun, before, after }) => {
    if (isRun === true || key.cluster === PROBE_CLUSTER || after === undefined) return [];
    if (before !== undefined && Buffer.compare(before.bytes, after.bytes) === 0) return [];
    const runs = runsIn(key, after);
    return runs.length === 0 || canonical(runs) === canonical(runsIn(key, before)) ? [] : runs;
  });
}

/** An unreadable state says nothing. */
function runsIn({ cluster, jobUid }: JobKey, stored: EncodedJobState | undefined): readonly SeriesRun[] {
  const state = stored && decodableState(jobUid, stored.bytes);
  return state === undefined ? [] : seriesRunsOf(cluster, jobObjectOf(state));
}
