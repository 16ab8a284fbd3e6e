import { EARLIEST, type Instant } from "../job/model/instant.ts";
import { isAfter } from "../ports/streams/streamed-write.ts";
import type { SeriesRun } from "../projection/series/series-runs.ts";
import type { CountedProjection } from "./apply-differences.ts";
import { type ContributingJob, type CountBatch, unpackBatch } from "./count-batch.ts";
import { listBatches, listShards, type ShardEnd, type StoredShard } from "./counted-shard.ts";
import { Differences } from "./differences.ts";

export interface BatchRange {
  /** Hours before it are not counted. */
  readonly since: Instant;
  /** Batches since this instant may be missing from the sums. @default all of the last days */
  readonly activeFrom?: Instant | undefined;
  /** The batches of a round that was interrupted. @default those that are in no sum */
  readonly round?: number | undefined;
  /** Excludes batches with writes at or after this instant. @default none */
  readonly before?: Instant | undefined;
  /** About how many writes to gather at most. @default 50,000 */
  readonly most?: number;
}

/** Batches that are counted together. */
export interface Gathered {
  readonly differences: Differences;
  /** Where they end, of each shard that has any. */
  readonly ends: readonly (ShardEnd & { readonly shard: StoredShard })[];
  /** The earliest of the last writes of each shard. */
  readonly countedTo: Instant | undefined;
  /** The current contributions of the Jobs, in the order of their writes. */
  readonly jobs: readonly ContributingJob[];
  /** The runs of series that changed, in the order of their writes. */
  readonly runs: readonly SeriesRun[];
  /** It ended early, because there are many writes. */
  readonly isPartial: boolean;
}

/** The most writes of a round. Their differences take some ten megabytes. */
const MOST_WRITES = 50_000;

export async function gatherBatches(counted: CountedProjection, range: BatchRange): Promise<Gathered> {
  const into = new Gathering(range);
  for (const shard of await listShards(counted, range.activeFrom ?? EARLIEST)) {
    const isOfRound = range.round === undefined || shard.value.next?.round === range.round;
    if (isOfRound && !into.isPartial) await into.addShard(counted, shard);
  }
  return into.gathered();
}

class Gathering {
  readonly #range: BatchRange;
  readonly #differences: Differences;
  readonly #ends: (ShardEnd & { readonly shard: StoredShard; readonly newestAt: Instant })[] = [];
  readonly #batches: (Pick<CountBatch, "jobs" | "runs"> & { readonly to: string })[] = [];

  constructor(range: BatchRange) {
    this.#range = range;
    this.#differences = new Differences(range.since);
  }

  get isPartial(): boolean {
    return this.#differences.writes >= (this.#range.most ?? MOST_WRITES);
  }

  async addShard(counted: CountedProjection, shard: StoredShard): Promise<void> {
    const { round, before = Infinity } = this.#range;
    const last = round === undefined ? undefined : shard.value.next?.batch;
    let end: (ShardEnd & { readonly newestAt: Instant }) | undefined;
    for await (const { key, stored } of listBatches(counted, shard)) {
      if ((last !== undefined && key > last) || stored.newestAt >= before || this.isPartial) break;
      const batch = unpackBatch(key, stored);
      this.#differences.addBatch(batch);
      this.#batches.push({ to: stored.to, jobs: batch.jobs, runs: batch.runs });
      end = { batch: key, to: stored.to, newestAt: batch.newestAt };
    }
    if (end !== undefined) this.#ends.push({ ...end, shard });
  }

  gathered(): Gathered {
    const newest = this.#ends.map(({ newestAt }) => newestAt);
    // The writes of a Job may be in a shard and in the one that continues it.
    const batches = this.#batches.toSorted((a, b) => (isAfter(a.to, b.to) ? 1 : -1));
    return {
      differences: this.#differences,
      ends: this.#ends,
      countedTo: newest.length === 0 ? undefined : Math.min(...newest),
      jobs: batches.flatMap(({ jobs }) => jobs),
      runs: batches.flatMap(({ runs }) => runs),
      isPartial: this.isPartial,
    };
  }
}
