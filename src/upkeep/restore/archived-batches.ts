import { HOUR_MILLIS, hourBegin } from "../../archive/layout/archive-hour.ts";
import { type ArchivedFile, archivedSegments } from "../../archive/read/archived-segments.ts";
import type { FiledSegment } from "../../archive/layout/segment-file.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { shardsOfHour } from "../../log/read-log.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { utcHour } from "../../segment/pack-key.ts";
import type { RestoreBatch } from "./restore-segments.ts";
import type { ArrivedBytes } from "./restored-bytes.ts";

export interface ArchivedSource {
  readonly store: ObjectStore;
  /** The records of the log that is restored. */
  readonly meta: MetaStore;
}

/** The segments of an archive, one hour after the other. Throws ArchiveDamagedError. */
export async function* archivedBatches({ store, meta }: ArchivedSource): AsyncGenerator<RestoreBatch> {
  let files: ArchivedFile[] = [];
  const batch = async (): Promise<RestoreBatch | undefined> => {
    const [first] = files;
    if (first === undefined) return undefined;
    const shards = await shardsOfHour(meta, utcHour(hourBegin(first.hour)));
    return { segments: files.flatMap(arrivedIn).sort(byArrival).map(inWindow), shards };
  };
  for await (const file of archivedSegments(store)) {
    if (files[0] !== undefined && files[0].hour !== file.hour) {
      const before = await batch();
      if (before !== undefined) yield before;
      files = [];
    }
    files.push(file);
  }
  const last = await batch();
  if (last !== undefined) yield last;
}

interface Arrived extends ArrivedBytes {
  /** Whether the log recorded the arrival itself. */
  readonly isExact: boolean;
}

/** A segment without a recorded arrival arrived up to five seconds after it was sealed (src/segment/late.ts). */
function arrivedIn({ hour, segments }: ArchivedFile): readonly Arrived[] {
  const begin = hourBegin(hour);
  return segments.map((segment) => {
    const arrivedAt = segment.lateAt ?? clamped(sealedAtOf(segment) ?? begin, begin);
    return { bytes: segment.bytes, arrivedAt, isExact: segment.lateAt !== undefined };
  });
}

function clamped(sealedAt: Instant, begin: Instant): Instant {
  return Math.min(Math.max(sealedAt, begin), begin + HOUR_MILLIS - 1);
}

/** `undefined` for a segment of a later release. It is set aside. */
function sealedAtOf({ bytes }: FiledSegment): Instant | undefined {
  const decoded = decodeSegment(bytes);
  return decoded.outcome === "decoded" ? decoded.segment.sealedAt : undefined;
}

function byArrival(a: Arrived, b: Arrived): number {
  return a.arrivedAt - b.arrivedAt;
}

/** Less than the delay after which a segment is late. */
const WINDOW_MS = 4_000;

/**
 * Gives segments that were sealed within the same four seconds one arrival, so that they share packs: separate packs
 * would cost twice the write units. The windows are fixed intervals of the clock, so that each run makes the same
 * packs.
 */
function inWindow({ bytes, arrivedAt, isExact }: Arrived): ArrivedBytes {
  return { bytes, arrivedAt: isExact ? arrivedAt : arrivedAt - (arrivedAt % WINDOW_MS) + WINDOW_MS - 1 };
}
