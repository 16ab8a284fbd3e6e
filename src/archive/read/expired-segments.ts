import type { LogItem, LogKey } from "../../ports/log.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { decodeSegmentKey, segmentKey } from "../../segment/segment-key.ts";
import { hourOf } from "../layout/archive-hour.ts";
import { findLink } from "../layout/chain.ts";
import { type ClusterHour, openSegmentFiles } from "./archived-hour.ts";

/** The segments of an hour of a cluster, by their sort keys. */
type HourSegments = ReadonlyMap<string, Omit<LogItem, "key">>;

/**
 * The most hours to keep in memory. A Job's segments are read in order, so segments of the same hour are read together.
 */
const MOST_HOURS = 4;

/** The segments of an archive, read one by one by the keys that they had in the log. */
export class ExpiredSegments {
  readonly #store: ObjectStore;
  readonly #hours = new Map<string, Promise<HourSegments>>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /**
   * The segment under a key; `undefined` if the archive does not have it. A segment that was delivered again within the
   * next hour is in the hour of its first arrival only. Throws ArchiveDamagedError.
   */
  async read(key: LogKey): Promise<LogItem | undefined> {
    const name = decodeSegmentKey(key);
    if (name === undefined) return undefined;
    const { cluster, sealedAt } = name;
    const hour = hourOf(key.pack?.arrivedAt ?? sealedAt);
    for (const each of [hour, hour - 1]) {
      const found = (await this.#segmentsOf({ cluster, hour: each })).get(key.sk);
      if (found !== undefined) return { ...found, key };
    }
    return undefined;
  }

  #segmentsOf(hour: ClusterHour): Promise<HourSegments> {
    const name = `${hour.cluster}#${hour.hour}`;
    const segments = this.#hours.get(name) ?? readHour(this.#store, hour);
    this.#hours.delete(name);
    this.#hours.set(name, segments);
    for (const [oldest] of this.#hours) {
      if (this.#hours.size <= MOST_HOURS) break;
      this.#hours.delete(oldest);
    }
    // A failed read is repeated by the next caller.
    segments.catch(() => this.#hours.delete(name));
    return segments;
  }
}

async function readHour(store: ObjectStore, { cluster, hour }: ClusterHour): Promise<HourSegments> {
  const found = new Map<string, Omit<LogItem, "key">>();
  const link = await findLink(store, { kind: "hour", hour });
  if (link === undefined) return found;
  for await (const { segments } of openSegmentFiles(store, link, cluster)) {
    for (const { segment, sha256, bytes } of segments) {
      found.set(segmentKey(segment).sk, { bytes, sha256, factCount: segment.facts.length });
    }
  }
  return found;
}
