import type { EncodedJobState, StoredJob } from "../../../src/ports/job-row.ts";
import type { JobKey } from "../../../src/ports/jobs.ts";
import type { StreamedWrite } from "../../../src/ports/streams/streamed-write.ts";
import type { DeliveredWrites } from "../../../src/count/record-batch.ts";
import { WideMemoryStore } from "./wide-memory-store.ts";

interface Shard {
  readonly id: string;
  readonly writes: StreamedWrite[];
  /** How many of its writes were delivered successfully. */
  delivered: number;
}

type Deliver = (delivered: DeliveredWrites) => Promise<unknown>;

/** Which writes of a shard are delivered: from where on, of those that were delivered before, and how many. */
export interface Cut {
  readonly back: number;
  readonly length: number;
}

/**
 * A projection in memory with wide lists and a stream of its writes, as DynamoDB has it, and its delivery, as that of
 * an event source mapping: at least once, in any cut, the first time in order.
 */
export class StreamedJobStore extends WideMemoryStore {
  readonly #shardCount: number;
  readonly #shards: Shard[] = [];
  #open: Shard[] = [];
  #position = 0;

  constructor(now: () => number, shards = 2) {
    super(now);
    this.#shardCount = shards;
    this.rollShards();
  }

  override async write(key: JobKey, state: EncodedJobState, expected: number) {
    const before = await this.read(key);
    const outcome = await super.write(key, state, expected);
    if (outcome.outcome === "written") this.#record(key, before, state);
    return outcome;
  }

  /** Deletes a Job, as its expiry or a replay does. */
  override async remove(key: JobKey): Promise<void> {
    const before = await this.read(key);
    if (before === undefined) return;
    await super.remove(key);
    this.#record(key, before, undefined);
  }

  /** Ends each shard and continues it in others, as DynamoDB does every few hours, and where a partition splits. */
  rollShards(count = this.#shardCount): void {
    const first = this.#shards.length + 1;
    this.#open = Array.from({ length: count }, (_, index) => ({
      id: `shard-${first + index}`,
      writes: [],
      delivered: 0,
    }));
    this.#shards.push(...this.#open);
  }

  /** Delivers what was not delivered. A shard that fails stops, and its next delivery begins there. */
  async deliver(to: Deliver): Promise<void> {
    for (const shard of this.#shards) await deliverCut(shard, { back: 0, length: Infinity }, to);
  }

  /** Delivers a part of a shard, some of it again. */
  async deliverCut(to: Deliver, { shard: at, ...cut }: Cut & { readonly shard: number }): Promise<void> {
    const shard = this.#shards[at % this.#shards.length];
    if (shard !== undefined) await deliverCut(shard, cut, to);
  }

  /** Delivers everything from the beginning again: the mapping was created again. */
  deliverAgain(): void {
    for (const shard of this.#shards) shard.delivered = 0;
  }

  #record(key: JobKey, before: StoredJob | undefined, after: EncodedJobState | undefined): void {
    const shard = this.#open[Buffer.from(key.jobUid).reduce((sum, byte) => sum + byte, 0) % this.#open.length];
    this.#position += 7;
    shard?.writes.push({
      key,
      position: String(this.#position),
      at: this.now(),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    });
  }
}

async function deliverCut(shard: Shard, { back, length }: Cut, to: Deliver): Promise<void> {
  const from = Math.max(0, shard.delivered - back);
  const writes = shard.writes.slice(from, from + length);
  if (writes.length === 0) return;
  await to({ shard: shard.id, writes });
  shard.delivered = Math.max(shard.delivered, from + writes.length);
}
