import { type ArchiveHour, hourBegin, hourOf, lastClosedHour } from "../../archive/layout/archive-hour.ts";
import { findLink } from "../../archive/layout/chain.ts";
import { readArchiveErasures } from "../../archive/read/archive-erasures.ts";
import { readSegmentFile } from "../../archive/read/archived-segments.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { Log } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { readWholeHour, shardsOfHour } from "../../log/read-log.ts";
import { utcHour } from "../../segment/pack-key.ts";
import { type ArrivedBytes, hashOf } from "./restored-bytes.ts";

/** A stage that archives its log. */
export interface ArchivingStage {
  readonly log: Log;
  readonly meta: MetaStore;
  readonly archive: ObjectStore;
  readonly now: () => Instant;
}

/** How long before the archiver can begin with an hour it counts as closed here: a segment may still be on its way. */
const ON_ITS_WAY_MS = 15 * 60_000;
/** The number of archive hours whose hashes are kept in memory. The batches of a table are in no order. */
const MOST_HOURS = 8;

/**
 * Decides where segments that the log lacks arrive, if the stage archives its log. Nothing is added to a closed hour of
 * the archive. A segment that the closed hour has returns to its place. Any other segment arrives now, because
 * otherwise it would expire without being archived.
 */
export class ClosedHours {
  readonly #stage: ArchivingStage;
  readonly #archived = new Map<ArchiveHour, Promise<ReadonlySet<string>>>();
  readonly #open = new Map<ArchiveHour, Promise<ReadonlySet<string>>>();

  constructor(stage: ArchivingStage) {
    this.#stage = stage;
  }

  /** Leaves out segments that already arrived in an open hour, for example in a run that was killed. */
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

  /** The log's content before the first segment is restored into this hour. */
  async #readLog(hour: ArchiveHour): Promise<ReadonlySet<string>> {
    const { log, meta } = this.#stage;
    const hashes = new Set<string>();
    for (const shard of await shardsOfHour(meta, utcHour(hourBegin(hour)))) {
      for await (const { items } of readWholeHour(log, shard)) for (const { bytes } of items) hashes.add(hashOf(bytes));
    }
    return hashes;
  }
}
