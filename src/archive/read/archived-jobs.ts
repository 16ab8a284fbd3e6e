import { type ClusterFact, isJobFact } from "../../job/model/fact.ts";
import type { ArchivedJob, ArchivedJobs } from "../../ports/archived-jobs.ts";
import type { LogItem } from "../../ports/log.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { segmentKey } from "../../segment/segment-key.ts";
import { archivedHour, type ClusterHour, type OpenedSegment } from "./archived-hour.ts";
import { type ArchivedRow, findArchivedJobs } from "./find-archived-jobs.ts";

/** The Jobs of the archive in an object store. */
export function archivedJobs(store: ObjectStore): ArchivedJobs {
  return {
    find: async (wanted) => {
      const rows = await findArchivedJobs(store, wanted);
      const row = wanted.uid === undefined ? rows[0] : rows.find(({ uid }) => uid === wanted.uid);
      if (row === undefined) return undefined;
      const generations = rows.map(({ uid, createdAt, finishedAt, state }) => ({
        uid,
        createdAt,
        ...(finishedAt !== undefined && { finishedAt }),
        state,
      }));
      const hours = row.hours.map((hour) => ({ cluster: wanted.cluster, hour }));
      return { jobUid: row.jobUid, generations, ...(await segmentsOf(store, row, hours)) };
    },
  };
}

async function segmentsOf(
  store: ObjectStore,
  { jobUid }: ArchivedRow,
  hours: readonly ClusterHour[],
): Promise<Pick<ArchivedJob, "items" | "around">> {
  const items: LogItem[] = [];
  const around: ClusterFact[] = [];
  for (const hour of hours) {
    for await (const { segments } of archivedHour(store, hour)) {
      for (const opened of segments) {
        const { facts } = opened.segment;
        if (facts.some((fact) => isJobFact(fact) && fact.jobUid === jobUid)) items.push(logItemOf(opened));
        for (const fact of facts) if (!isJobFact(fact)) around.push(fact);
      }
    }
  }
  return { items, around };
}

function logItemOf({ segment, sha256, bytes }: OpenedSegment): LogItem {
  return { key: segmentKey(segment), bytes, sha256, factCount: segment.facts.length };
}
