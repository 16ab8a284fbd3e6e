import pLimit from "p-limit";
import { type ClusterFact, isJobFact, isRunFact } from "../../job/model/fact.ts";
import type { ArchivedJob, ArchivedJobs } from "../../ports/archived-jobs.ts";
import type { LogItem } from "../../ports/log.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { segmentKey } from "../../segment/segment-key.ts";
import { archivedHour, type ClusterHour, type OpenedSegment } from "./archived-hour.ts";
import { ExpiredSegments } from "./expired-segments.ts";
import { type ArchivedRow, findArchivedJobs } from "./find-archived-jobs.ts";

/** The Jobs of the archive in an object store. Keeps some of the segments that it has read. */
export function archivedJobs(store: ObjectStore, now: () => number = Date.now): ArchivedJobs {
  const expired = new ExpiredSegments(store);
  return {
    find: async (wanted) => {
      const rows = await findArchivedJobs(store, { ...wanted, now: now() });
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
    readSegment: (key) => expired.read(key),
  };
}

/** Hours that are read at the same time. */
const HOURS_AT_ONCE = 8;

type Segments = Pick<ArchivedJob, "items" | "around">;

async function segmentsOf(store: ObjectStore, row: ArchivedRow, hours: readonly ClusterHour[]): Promise<Segments> {
  const found = await pLimit(HOURS_AT_ONCE).map(hours, (hour) => segmentsIn(store, row, hour));
  return { items: found.flatMap(({ items }) => items), around: found.flatMap(({ around }) => around) };
}

async function segmentsIn(store: ObjectStore, { jobUid }: ArchivedRow, hour: ClusterHour): Promise<Segments> {
  const items: LogItem[] = [];
  const around: ClusterFact[] = [];
  for await (const { segments } of archivedHour(store, hour)) {
    for (const opened of segments) {
      const { facts } = opened.segment;
      if (facts.some((fact) => isJobFact(fact) && fact.jobUid === jobUid)) items.push(logItemOf(opened));
      for (const fact of facts) if (!isJobFact(fact) && !isRunFact(fact)) around.push(fact);
    }
  }
  return { items, around };
}

function logItemOf({ segment, sha256, bytes }: OpenedSegment): LogItem {
  return { key: segmentKey(segment), bytes, sha256, factCount: segment.facts.length };
}
