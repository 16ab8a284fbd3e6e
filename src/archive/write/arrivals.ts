import type { ClusterName } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { LogKey } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { lateKey, ofCluster } from "../../ports/meta-key.ts";
import { sealedAtOf } from "../../segment/segment-key.ts";
import { type ArchiveHour, hourBegin, hourOf } from "../layout/archive-hour.ts";

/**
 * When the segments of a cluster arrived in the log: when they were sealed, or later by the record of a late arrival.
 * An hour of the archive has the segments that arrived in it, so that nothing is added to an hour that is closed.
 */
export class Arrivals {
  readonly #lateAt: ReadonlyMap<string, Instant>;

  constructor(lateAt: ReadonlyMap<string, Instant>) {
    this.#lateAt = lateAt;
  }

  /** Set only for a segment that was appended long after it was sealed. */
  lateAt(sk: string): Instant | undefined {
    return this.#lateAt.get(sk);
  }

  hourOf(sk: string): ArchiveHour {
    return hourOf(Math.max(sealedAtOf(sk), this.#lateAt.get(sk) ?? 0));
  }

  /** The hour in which the pack of a segment arrived. */
  hourOfKey({ sk, pack }: LogKey): ArchiveHour {
    return pack === undefined ? this.hourOf(sk) : hourOf(pack.arrivedAt);
  }

  /** The sort keys of segments that were sealed before the hour and arrived in it, in order. */
  sealedBefore(hour: ArchiveHour): readonly string[] {
    return [...this.#lateAt.keys()].filter((sk) => hourOf(sealedAtOf(sk)) < hour && this.hourOf(sk) === hour).sort();
  }

  /** The hour of the first late arrival. */
  get firstLateHour(): ArchiveHour | undefined {
    const hours = [...this.#lateAt.keys()].map((sk) => this.hourOf(sk));
    return hours.length === 0 ? undefined : hours.reduce((first, hour) => Math.min(first, hour));
  }
}

/** The value of an arrival that {@link moveArrival} recorded. */
const MOVED = JSON.stringify({ moved: true });
/** A moved arrival is late for every segment that was sealed before the hour (src/segment/late.ts). */
const MOVED_BY_MS = 60_000;

/** Moves a segment to a later hour of the archive, because its own was archived without it. May be repeated. */
export async function moveArrival(
  meta: MetaStore,
  { cluster, sk }: { readonly cluster: ClusterName; readonly sk: string },
  hour: ArchiveHour,
): Promise<void> {
  await meta.write("late", lateKey(cluster, hourBegin(hour) + MOVED_BY_MS, sk), { value: MOVED, expected: 0 });
}

/**
 * A redelivered segment may have several records: the first arrival counts, unless the archive moved it. Keys are in
 * order of arrival.
 */
export async function readArrivals(meta: MetaStore, cluster: ClusterName): Promise<Arrivals> {
  const lateAt = new Map<string, Instant>();
  for await (const { key, value } of listRecords(meta, "late", { prefix: ofCluster(cluster) })) {
    const [, arrived, ...sk] = key.split("#");
    const arrivedAt = parseInstant(arrived);
    const counts = value === MOVED || !lateAt.has(sk.join("#"));
    if (arrivedAt !== undefined && counts) lateAt.set(sk.join("#"), arrivedAt);
  }
  return new Arrivals(lateAt);
}
