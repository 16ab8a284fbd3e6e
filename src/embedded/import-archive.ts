import { listChain, readLink } from "../archive/layout/chain.ts";
import type { FiledSegment } from "../archive/layout/segment-file.ts";
import { readArchiveErasures } from "../archive/read/archive-erasures.ts";
import { archivedSegments } from "../archive/read/archived-segments.ts";
import { adoptDone } from "../erasure/adopt-erasures.ts";
import { LogDayRegistry } from "../ingest/log-day-registry.ts";
import { noteLateArrival } from "../ingest/note-late-arrival.ts";
import { utcDay } from "../job/model/instant.ts";
import { ARCHIVE_KEY } from "../ports/meta-key.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import { archiveRecord } from "../ports/records/archive-record.ts";
import { writeRecord } from "../ports/records/record-codec.ts";
import { logDays } from "../replay/read-log.ts";
import type { Rebuilt } from "../replay/rebuild-projection.ts";
import { decodeSegment } from "../segment/decode-segment.ts";
import { segmentKey } from "../segment/segment-key.ts";
import type { Embedded } from "./embedded-tracker.ts";

export type ImportedArchive =
  | {
      readonly outcome: "imported";
      readonly segments: number;
      /** Segments that this release cannot read, because a later one wrote them. They are not imported. */
      readonly unreadable: number;
      readonly rebuilt: Rebuilt;
    }
  /** The database has a log already. */
  | { readonly outcome: "notEmpty" };

/**
 * Rebuilds an empty tracker from an archive alone: the log with its arrivals, then the projection. The tracker
 * continues the archive. Throws ArchiveDamagedError.
 */
export async function importArchive(
  to: Embedded,
  store: ObjectStore,
  onProgress: (segments: number) => void,
): Promise<ImportedArchive> {
  for await (const _ of logDays(to.meta)) return { outcome: "notEmpty" };
  const { files } = await readArchiveErasures(store);
  await adoptDone(to.meta, files);
  const days = new LogDayRegistry(to.meta);
  const tally = { segments: 0, unreadable: 0 };
  for await (const { segments } of archivedSegments(store)) {
    for (const segment of segments) tally[await importSegment(to, days, segment)] += 1;
    onProgress(tally.segments);
  }
  await adoptArchive(to, store);
  return { outcome: "imported", ...tally, rebuilt: await to.replay() };
}

/** What the segment counts as. */
async function importSegment(
  { log, meta }: Embedded,
  days: LogDayRegistry,
  { bytes, lateAt }: FiledSegment,
): Promise<"segments" | "unreadable"> {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") return "unreadable";
  const { segment, sha256 } = decoded;
  await days.note({ cluster: segment.cluster, day: utcDay(segment.sealedAt) });
  await log.append({ key: segmentKey(segment), bytes, sha256, factCount: segment.facts.length });
  if (lateAt !== undefined) await noteLateArrival(meta, segment, lateAt);
  return "segments";
}

/** The next export continues the chain. */
async function adoptArchive({ meta }: Embedded, store: ObjectStore): Promise<void> {
  const last = (await listChain(store)).at(-1);
  if (last === undefined) return;
  const { archive } = (await readLink(store, last)).manifest;
  await writeRecord(meta, archiveRecord, { key: ARCHIVE_KEY, value: { archive }, expected: 0 });
}
