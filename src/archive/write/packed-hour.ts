import type { ClusterName } from "../../job/model/ids.ts";
import { formatMillis, type Instant } from "../../job/model/instant.ts";
import type { Log, LogHour, LogItem, PackPage } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { logHours, readMergedHour, shardsOfHour } from "../../log/read-log.ts";
import { isLate } from "../../segment/late.ts";
import { hourBegin as beginOfKey, utcHour } from "../../segment/pack-key.ts";
import { decodeSegmentKey, sealedAtOf } from "../../segment/segment-key.ts";
import { type ArchiveHour, hourBegin, hourOf } from "../layout/archive-hour.ts";

/** A segment in the hour of its arrival. */
export interface ArrivedSegment {
  readonly cluster: ClusterName;
  readonly item: LogItem;
  /** When it arrived, if that was long after it was sealed or in another hour. */
  readonly lateAt?: Instant;
}

interface LogStores {
  readonly log: Log;
  readonly meta: MetaStore;
}

/**
 * The segments in the packs of an hour, of all shards and clusters, in order of arrival. A segment that was delivered
 * again is left out if its first copy arrived in this hour or in the hour before. If that was earlier, it is archived
 * again: its facts are joined once more, which changes nothing.
 */
export async function* packedSegments({ log, meta }: LogStores, hour: ArchiveHour): AsyncGenerator<ArrivedSegment> {
  const shards = await shardsOfHour(meta, utcHour(hourBegin(hour)));
  const before = new HourBefore({ log, meta }, hour);
  const seen = new Set<string>();
  for await (const pack of readMergedHour(log, shards)) {
    for (const item of pack.items) {
      const copy = copyOf(item);
      if (seen.has(copy)) continue;
      seen.add(copy);
      if (!(await before.has(item))) yield arrived(item);
    }
  }
}

/** The first hour of which the log has packs; `undefined` without packs. */
export async function firstPackedHour(meta: MetaStore): Promise<ArchiveHour | undefined> {
  for await (const { hour } of logHours(meta)) {
    const begin = beginOfKey(hour);
    if (begin !== undefined) return hourOf(begin);
  }
  return undefined;
}

function arrived(item: LogItem): ArrivedSegment {
  const name = decodeSegmentKey(item.key);
  if (name === undefined) throw new PackDamagedError(item);
  const { cluster, sealedAt } = name;
  const arrivedAt = item.key.pack?.arrivedAt ?? sealedAt;
  const isElsewhere = isLate(sealedAt, arrivedAt) || hourOf(sealedAt) !== hourOf(arrivedAt);
  return { cluster, item, ...(isElsewhere && { lateAt: arrivedAt }) };
}

/** The same segment with the same content. Segments that conflict are both in the log, and in the archive. */
function copyOf({ key: { pk, sk }, sha256 }: LogItem): string {
  return `${pk} ${sk} ${sha256}`;
}

/** How far the clock of an exporter may be ahead: a segment can arrive this long before the time of its sealing. */
const SKEW_MS = 60_000;

/** The segments of the hour before. Reads only as far back as the requested segments need. */
class HourBefore {
  readonly #stores: LogStores;
  readonly #hour: ArchiveHour;
  readonly #copies = new Set<string>();
  /** Arrivals from this instant on have been read. */
  #from: Instant;
  #shards: readonly LogHour[] | undefined;

  constructor(stores: LogStores, hour: ArchiveHour) {
    this.#stores = stores;
    this.#hour = hour - 1;
    this.#from = hourBegin(hour);
  }

  async has(item: LogItem): Promise<boolean> {
    const from = Math.max(sealedAtOf(item.key.sk) - SKEW_MS, hourBegin(this.#hour));
    if (from < this.#from) await this.#readFrom(from);
    return this.#copies.has(copyOf(item));
  }

  /** Reads at least a minute at a time, because the next segment may have been sealed a little earlier. */
  async #readFrom(wanted: Instant): Promise<void> {
    const from = Math.max(wanted - SKEW_MS, hourBegin(this.#hour));
    this.#shards ??= await shardsOfHour(this.#stores.meta, utcHour(hourBegin(this.#hour)));
    for (const shard of this.#shards) await this.#readShard(shard, { after: formatMillis(from) });
    this.#from = from;
  }

  async #readShard(shard: LogHour, range: { readonly after: string }): Promise<void> {
    const before = formatMillis(this.#from);
    let next: string | undefined = range.after;
    while (next !== undefined) {
      const page: PackPage | undefined = await this.#stores.log.packs?.readHour(shard, {
        after: next,
        before,
        limit: PACKS,
      });
      for (const { items } of page?.packs ?? []) for (const item of items) this.#copies.add(copyOf(item));
      next = page?.next;
    }
  }
}

/** Packs per request: below 1 MB, where DynamoDB ends a page by itself. */
const PACKS = 32;

/** A pack of the log cannot be read, so that its segments cannot be archived. */
export class PackDamagedError extends Error {
  override readonly name = "PackDamagedError";

  constructor({ key }: LogItem) {
    super(
      `Cannot archive pack ${key.pk} ${key.sk} of the log: it cannot be read. If a later release wrote it, ` +
        "deploy that release. Otherwise restore the pack from a backup of the table.",
    );
  }
}
