import { createHash } from "node:crypto";
import { compareText } from "../../job/model/compare-text.ts";
import { formatMillis, type Instant } from "../../job/model/instant.ts";
import type { LogHour, LogItem, LogPack } from "../../ports/log.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import { hourBegin, packArrivedAt, packSortKey } from "../../segment/pack-key.ts";
import { segmentKey } from "../../segment/segment-key.ts";
import { hourOf } from "../layout/archive-hour.ts";
import type { FiledSegment } from "../layout/segment-file.ts";
import { readArchiveErasures, readCurrentLink } from "./archive-erasures.ts";
import { readSegmentFile } from "./archived-segments.ts";

/** A shard of an hour, and all shards that have packs of the hour. */
export interface ShardOfHour extends LogHour {
  readonly shards: readonly number[];
}

/** The first character of the names of archived packs. No name in the log begins with it, and it sorts after them. */
const ARCHIVED = "~";

/** Archived hours as packs. Keeps the packs of the shards that were read last. */
export class ArchivedPacks {
  readonly #store: ObjectStore;
  readonly #read = new Map<string, Promise<readonly LogPack[]>>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /**
   * The packs of a shard in the order of their keys, with one segment each. Segments that conflict are in one pack.
   * Throws ArchiveDamagedError.
   */
  read(place: ShardOfHour): Promise<readonly LogPack[]> {
    const name = `${place.shard}#${place.hour}`;
    const packs = this.#read.get(name) ?? readPacks(this.#store, place);
    this.#read.delete(name);
    this.#read.set(name, packs);
    // The shards of an hour are read side by side.
    const most = 2 * place.shards.length;
    for (const [oldest] of this.#read) {
      if (this.#read.size <= most) break;
      this.#read.delete(oldest);
    }
    packs.catch(() => this.#read.delete(name));
    return packs;
  }

  /**
   * Where to continue after a sort key. After a sort key of the log, segments that arrived shortly before are read
   * again, because archived segments sort by the time of sealing.
   */
  positionAfter(sk: string): string {
    if (sk === "" || sk.includes(`#${ARCHIVED}`)) return sk;
    return formatMillis(Math.max(0, packArrivedAt(sk) - SETTLED_AFTER_MS));
  }
}

async function readPacks(store: ObjectStore, { shard, hour, shards }: ShardOfHour): Promise<readonly LogPack[]> {
  const packs = new Map<string, LogItem[]>();
  const name = { kind: "hour", hour: hourOf(hourBegin(hour) ?? Number.NaN) } as const;
  const { manifest } = await readCurrentLink(store, name, await readArchiveErasures(store));
  for (const object of manifest.objects) {
    if (!object.key.startsWith("segments/") || shardOf(object.cluster ?? "", shards) !== shard) continue;
    for (const filed of await readSegmentFile(store, object)) {
      const { sk, item } = packed(filed, { shard, file: object.sha256 });
      packs.set(sk, [...(packs.get(sk) ?? []), item]);
    }
  }
  return [...packs]
    .map(([sk, items]) => ({ hour: { shard, hour }, sk, items }))
    .sort((a, b) => compareText(a.sk, b.sk));
}

/** Each cluster belongs to one shard, so that a reader of one shard reads only some of the files. */
function shardOf(cluster: string, shards: readonly number[]): number | undefined {
  return shards[createHash("sha256").update(cluster).digest().readUInt32BE() % Math.max(1, shards.length)];
}

function packed(
  { bytes, lateAt }: FiledSegment,
  { shard, file }: { readonly shard: number; readonly file: string },
): { readonly sk: string; readonly item: LogItem } {
  const decoded = decodeSegment(bytes);
  // Reported like an unreadable pack of the log: its readers skip it and read the others.
  if (decoded.outcome === "rejected") {
    const sk = packSortKey(lateAt ?? 0, `${ARCHIVED}${file}`);
    return { sk, item: { key: { pk: `archive/${file}`, sk }, bytes, sha256: "", factCount: 0 } };
  }
  const { segment, sha256 } = decoded;
  const arrivedAt: Instant = lateAt ?? segment.sealedAt;
  const key = { ...segmentKey(segment), pack: { shard, arrivedAt } };
  const sk = packSortKey(arrivedAt, `${ARCHIVED}${segment.cluster}#${key.sk}`);
  return { sk, item: { key, bytes, sha256, factCount: segment.facts.length } };
}
