import { type ArchiveHour, hourBegin, hourOf, lastClosedHour } from "../archive/layout/archive-hour.ts";
import { findLink } from "../archive/layout/chain.ts";
import { readArchiveErasures } from "../archive/read/archive-erasures.ts";
import { readSegmentFile } from "../archive/read/archived-segments.ts";
import type { Instant } from "../job/model/instant.ts";
import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import { readWholeHour, shardsOfHour } from "../log/read-log.ts";
import { utcHour } from "../segment/pack-key.ts";
import { type ArrivedBytes, hashOf } from "./restored-bytes.ts";

/** A stage that archives its log. */
export interface ArchivingStage {
  readonly log: Log;
  readonly meta: MetaStore;
  readonly archive: ObjectStore;
  readonly now: () => Instant;
}

/** The archiver may begin with an hour while a segment is on its way into it. */
const ON_ITS_WAY_MS = 15 * 60_000;
/** Hours of the archive whose hashes are in memory. The batches of a table are in no order. */
const MOST_HOURS = 8;

/**
 * Where segments that the log lacks arrive, if the stage archives its log. Nothing is added to an hour of the archive
 * that is closed. If it has the segment, the segment comes back to its place. If not, the segment arrives now:
 * otherwise it would expire without having been archived.
 */
export class ClosedHours {
  readonly #stage: ArchivingStage;
  readonly #archived = new Map<ArchiveHour, Promise<ReadonlySet<string>>>();
  readonly #open = new Map<ArchiveHour, Promise<ReadonlySet<string>>>();

  constructor(stage: ArchivingStage) {
    this.#stage = stage;
  }

  /** Leaves out the segments that have arrived in an hour that is open, for example in a run that was killed. */
  async place(segments: readonly ArrivedBytes[]): Promise<readonly ArrivedBytes[]> {
    const placed: ArrivedBytes[] = [];
    for (const segment of segments) {
      if (await this.#canReturn(segment)) placed.push(segment);
      else if (!(await this.#hasArrived(segment))) placed.push({ ...segment, arrivedAt: this.#stage.now() });
    }
    return placed;
  }

  async #canReturn({ bytes, arrivedAt }: ArrivedBytes): Promise<boolean> {
    const hour = hourOf(arrivedAt);
    if (hour > lastClosedHour(this.#stage.now() + ON_ITS_WAY_MS)) return true;
    const known = this.#archived.get(hour) ?? this.#readArchived(hour);
    this.#archived.delete(hour);
    this.#archived.set(hour, known);
    const [oldest] = this.#archived.keys();
    if (oldest !== undefined && this.#archived.size > MOST_HOURS) this.#archived.delete(oldest);
    return (await known).has(hashOf(bytes));
  }

  async #readArchived(hour: ArchiveHour): Promise<ReadonlySet<string>> {
    const { archive } = this.#stage;
    const hashes = new Set<string>();
    const link = await findLink(archive, { kind: "hour", hour });
    if (link === undefined) return hashes;
    for (const object of (await readArchiveErasures(archive)).objectsOf(link)) {
      if (!object.key.startsWith("segments/")) continue;
      for (const { bytes } of await readSegmentFile(archive, object)) hashes.add(hashOf(bytes));
    }
    return hashes;
  }

  async #hasArrived({ bytes }: ArrivedBytes): Promise<boolean> {
    const hash = hashOf(bytes);
    const now = this.#stage.now();
    for (let hour = lastClosedHour(now) + 1; hour <= hourOf(now); hour += 1) {
      const known = this.#open.get(hour) ?? this.#readLog(hour);
      this.#open.set(hour, known);
      if ((await known).has(hash)) return true;
    }
    return false;
  }

  /** As the log is before the first segment is restored into this hour. */
  async #readLog(hour: ArchiveHour): Promise<ReadonlySet<string>> {
    const { log, meta } = this.#stage;
    const hashes = new Set<string>();
    for (const shard of await shardsOfHour(meta, utcHour(hourBegin(hour)))) {
      for await (const { items } of readWholeHour(log, shard)) for (const { bytes } of items) hashes.add(hashOf(bytes));
    }
    return hashes;
  }
}
