import type { Instant } from "../../job/model/instant.ts";
import type { Log, LogHour, PackedLog, PackPage, PackRange } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { logHourKey, logHourOf } from "../../ports/meta-key.ts";
import { listRecords } from "../../ports/list-records.ts";
import { hourBegin } from "../../segment/pack-key.ts";
import { LEAST_LOG_DAYS } from "../../ports/deployment/retention.ts";
import { HOUR_MILLIS, hourBegin as archivedHourBegin, HOURS_PER_DAY } from "../layout/archive-hour.ts";
import { firstLink } from "../layout/chain.ts";
import { verifiedUntil } from "../verify/verify-progress.ts";
import { ArchivedPacks, type ShardOfHour } from "./archived-packs.ts";
import { ExpiredSegments } from "./expired-segments.ts";

export interface ArchivedLogStores {
  readonly log: Log;
  readonly meta: MetaStore;
  readonly store: ObjectStore;
}

/**
 * A log of packs, with its archive for what may have expired.
 *
 * An hour is read from the archive when it is verified, and so old that its packs may be expiring: DynamoDB deletes
 * them one by one, so that the log may have a part of it. Younger hours are whole in the log. Each cluster of an
 * archived hour belongs to one of the shards that the hour had. The segments are in packs of their own, by the
 * instant at which they were sealed, or arrived late.
 */
export function logWithArchive(stores: ArchivedLogStores, now: () => Instant = Date.now): Log {
  const { log, store } = stores;
  const expired = new ExpiredSegments(store);
  return {
    append: (item) => log.append(item),
    read: async (key) => (await log.read(key)) ?? expired.read(key),
    readDay: (day, options) => log.readDay(day, options),
    ...(log.packs && { packs: packsWithArchive(log.packs, stores, now) }),
  };
}

const SURE_MILLIS = LEAST_LOG_DAYS * HOURS_PER_DAY * HOUR_MILLIS;

function packsWithArchive(packs: PackedLog, { meta, store }: ArchivedLogStores, now: () => Instant): PackedLog {
  const archived = new ArchivedPacks(store);
  const verified = new VerifiedHours({ meta, store });
  return {
    append: (pack) => packs.append(pack),
    readHour: async (hour, range) => {
      const begin = hourBegin(hour.hour);
      const mayExpire = begin !== undefined && begin + SURE_MILLIS <= now();
      if (!mayExpire || !(await verified.has(begin, now()))) return packs.readHour(hour, range);
      return readArchived(archived, await placeOf(meta, hour), range);
    },
  };
}

async function readArchived(archived: ArchivedPacks, place: ShardOfHour, range: PackRange): Promise<PackPage> {
  const { after = "", before, limit } = range;
  const from = archived.positionAfter(after);
  const packs = (await archived.read(place)).filter(({ sk }) => sk > from && (before === undefined || sk < before));
  const page = packs.slice(0, limit);
  const last = page.at(-1);
  return packs.length > page.length && last !== undefined ? { packs: page, next: last.sk } : { packs: page };
}

async function placeOf(meta: MetaStore, hour: LogHour): Promise<ShardOfHour> {
  const shards: number[] = [];
  const prefix = logHourKey(hour).slice(0, -2);
  for await (const { key } of listRecords(meta, "logHour", { prefix })) shards.push(logHourOf(key).shard);
  return { ...hour, shards };
}

/** How long a caller may not see that more hours were verified. */
const REFRESH_MILLIS = 60_000;

/** The hours that the archive provably has: from the beginning of its chain until the last verified hour. */
class VerifiedHours {
  readonly #meta: MetaStore;
  readonly #store: ObjectStore;
  #from: Instant | undefined;
  #until: Instant = 0;
  #readAt = -Infinity;

  constructor({ meta, store }: Pick<ArchivedLogStores, "meta" | "store">) {
    this.#meta = meta;
    this.#store = store;
  }

  async has(begin: Instant, now: Instant): Promise<boolean> {
    if (begin + HOUR_MILLIS > this.#until && now - this.#readAt >= REFRESH_MILLIS) {
      this.#until = (await verifiedUntil(this.#meta)) ?? 0;
      this.#readAt = now;
    }
    return begin + HOUR_MILLIS <= this.#until && begin >= (await this.#begin());
  }

  /**
   * The hours before this instant can still be in the log: an archive that was restored without being adopted begins
   * later.
   */
  async #begin(): Promise<Instant> {
    this.#from ??= await firstBegin(this.#store);
    return this.#from;
  }
}

/** For an archive that lost its first manifests, the beginning of time: its hours are then reported as missing. */
async function firstBegin(store: ObjectStore): Promise<Instant> {
  const first = await firstLink(store);
  return first === undefined ? 0 : archivedHourBegin(first.name.hour);
}
