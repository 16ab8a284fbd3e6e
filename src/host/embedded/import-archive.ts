import { listChain, readLink } from "../../archive/layout/chain.ts";
import type { FiledSegment } from "../../archive/layout/segment-file.ts";
import { readArchiveErasures } from "../../archive/read/archive-erasures.ts";
import { archivedSegments } from "../../archive/read/archived-segments.ts";
import { findErasedData } from "../../archive/verify/erased-data.ts";
import { adoptErasures, settleAdopted } from "../../log/erasure/adopt-erasures.ts";
import { finishErasure } from "../../log/erasure/command/erase-data.ts";
import type { StoredErasure } from "../../log/erasure/stored-erasures.ts";
import { withoutErased } from "../../log/erasure/without-erased.ts";
import { LogDayRegistry } from "../../log/log-day-registry.ts";
import { noteLateArrival } from "../../log/note-late-arrival.ts";
import { utcDay } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { ARCHIVE_KEY } from "../../ports/meta-key.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { archiveRecord } from "../../ports/records/archive-record.ts";
import { writeRecord } from "../../ports/records/record-codec.ts";
import { logDays } from "../../log/read-log.ts";
import type { Rebuilt } from "../../upkeep/replay/rebuild-projection.ts";
import { isUnfinished, noteBegun, noteFinished } from "../../upkeep/replay/unfinished-commands.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { segmentKey } from "../../segment/segment-key.ts";
import type { Embedded } from "./embedded-tracker.ts";
import { erasurePorts } from "./erase-embedded.ts";

export type ImportedArchive =
  | {
      readonly outcome: "imported";
      readonly segments: number;
      /** Segments that this release cannot read, because a later one wrote them. They are not imported. */
      readonly unreadable: number;
      readonly rebuilt: Rebuilt;
    }
  /** The database has another log already. */
  | { readonly outcome: "notEmpty" };

/**
 * Rebuilds an empty tracker from an archive alone: the log with its arrivals, then the projection. The tracker then
 * continues the archive. Erased data is left out, even if its erasure was interrupted. If the import is killed, a
 * repetition continues; until then, the tracker reports that it is incomplete. Throws ArchiveDamagedError.
 */
export async function importArchive(
  to: Embedded,
  store: ObjectStore,
  onProgress: (segments: number) => void,
): Promise<ImportedArchive> {
  const command = { command: "archive import", of: (await archiveIdOf(store)) ?? "" } as const;
  if (!(await isUnfinished(to.meta, command)) && (await hasLog(to.meta))) return { outcome: "notEmpty" };
  await noteBegun(to.meta, command);
  const imported = await importAll(to, store, onProgress);
  // A later release may be able to import the segments that could not be read or projected.
  const isComplete = imported.unreadable === 0 && imported.rebuilt.outcome === "switched";
  if (isComplete) await noteFinished(to.meta, command);
  return imported;
}

async function hasLog(meta: MetaStore): Promise<boolean> {
  for await (const _ of logDays(meta)) return true;
  return false;
}

/** Every step can be repeated: existing data is kept. */
async function importAll(
  to: Embedded,
  store: ObjectStore,
  onProgress: (segments: number) => void,
): Promise<Extract<ImportedArchive, { readonly outcome: "imported" }>> {
  const adopted = await adoptErasures(to.meta, (await readArchiveErasures(store)).files);
  const days = new LogDayRegistry(to.meta);
  const tally = { segments: 0, unreadable: 0 };
  for await (const { segments } of archivedSegments(store)) {
    for (const segment of segments) tally[await importSegment(to, days, segment)] += 1;
    onProgress(tally.segments);
  }
  await adoptArchive(to, store);
  const rebuilt = await to.replay();
  await finishErasures(to, store, adopted);
  return { outcome: "imported", ...tally, rebuilt };
}

/** Finishes erasures that were interrupted, in the tracker and in the archive. */
async function finishErasures(to: Embedded, store: ObjectStore, adopted: readonly StoredErasure[]): Promise<void> {
  const unfinished = await isLeft(store, adopted);
  if (!unfinished) return settleAdopted(to.meta, adopted);
  for (const erasure of adopted) await finishErasure(erasurePorts(to, { archive: store, settleMillis: 0 }), erasure);
}

async function isLeft(store: ObjectStore, adopted: readonly StoredErasure[]): Promise<boolean> {
  const erasures = adopted.map(({ erasure }) => erasure);
  for await (const _ of findErasedData(store, erasures)) return true;
  return false;
}

/** How the segment is counted. */
async function importSegment(
  { log, meta }: Embedded,
  days: LogDayRegistry,
  { bytes, lateAt }: FiledSegment,
): Promise<"segments" | "unreadable"> {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") return "unreadable";
  const { sha256 } = decoded;
  const remains = await withoutErased(meta, decoded);
  const segment = remains?.segment ?? decoded.segment;
  await days.note({ cluster: segment.cluster, day: utcDay(segment.sealedAt) });
  const item = { key: segmentKey(segment), bytes: remains?.sealed.bytes ?? bytes, sha256 };
  await log.append({ ...item, factCount: segment.facts.length });
  if (lateAt !== undefined) await noteLateArrival(meta, segment, lateAt);
  return "segments";
}

/** The next export continues the chain. */
async function adoptArchive({ meta }: Embedded, store: ObjectStore): Promise<void> {
  const archive = await archiveIdOf(store);
  if (archive === undefined) return;
  await writeRecord(meta, archiveRecord, { key: ARCHIVE_KEY, value: { archive }, expected: 0 });
}

/** `undefined` while the archive is empty. */
async function archiveIdOf(store: ObjectStore): Promise<string | undefined> {
  const last = (await listChain(store)).at(-1);
  return last && (await readLink(store, last)).manifest.archive;
}
