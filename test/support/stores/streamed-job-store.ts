import type { EncodedJobState, StoredJob } from "../../../src/ports/job-row.ts";
import type { JobKey } from "../../../src/ports/jobs.ts";
import {
  isAfter,
  type JobStream,
  type StreamedWrite,
  type StreamPage,
  type StreamShard,
  StreamTrimmedError,
} from "../../../src/ports/streams/job-stream.ts";
import { WideMemoryStore } from "./wide-memory-store.ts";

interface Shard {
  readonly id: string;
  readonly parent?: string;
  isClosed: boolean;
  readonly writes: StreamedWrite[];
}

/** Writes in a page of the stream. */
const PAGE = 3;

/** A projection in memory with wide lists and a stream of its writes, as DynamoDB has it. */
export class StreamedJobStore extends WideMemoryStore {
  readonly #shardCount: number;
  #shards: Shard[];
  #position = 0;
  #lastShard = 0;

  constructor(now: () => number, shards = 2) {
    super(now);
    this.#shardCount = shards;
    this.#shards = this.#newShards();
  }

  override async write(key: JobKey, state: EncodedJobState, expected: number) {
    const before = await this.read(key);
    const outcome = await super.write(key, state, expected);
    if (outcome.outcome === "written") this.#record(key, before, state);
    return outcome;
  }

  /** Deletes a Job, as its expiry or a replay does. */
  async remove(key: JobKey): Promise<void> {
    const before = await this.read(key);
    if (before === undefined) return;
    this.states.delete(`${key.cluster}|${key.jobUid}`);
    this.#record(key, before, undefined);
  }

  /** Continues each shard in another one, as DynamoDB does every few hours. */
  rollShards(): void {
    const open = this.#shards.filter(({ isClosed }) => !isClosed);
    for (const shard of open) shard.isClosed = true;
    this.#shards.push(...this.#newShards(open));
  }

  /** Forgets shards that are closed, as DynamoDB does after 24 hours. */
  trim(): void {
    this.#shards = this.#shards.filter(({ isClosed }) => !isClosed);
  }

  readonly stream: JobStream = {
    // The newest first: a reader must not rely on an order.
    shards: async () => this.#shards.toReversed().map(({ writes: _writes, ...shard }): StreamShard => shard),
    read: (shard, after) => this.#read(shard.id, after),
  };

  async *#read(id: string, after: string | undefined): AsyncGenerator<StreamPage, void> {
    const shard = this.#shards.find((each) => each.id === id);
    if (shard === undefined) throw new StreamTrimmedError(id);
    const rest = shard.writes.filter(({ position }) => after === undefined || isAfter(position, after));
    for (let from = 0; from < rest.length; from += PAGE) {
      const writes = rest.slice(from, from + PAGE);
      const position = writes.at(-1)?.position;
      yield { writes, isClosed: false, ...(position !== undefined && { position }) };
    }
    yield { writes: [], isClosed: shard.isClosed };
  }

  #record(key: JobKey, before: StoredJob | undefined, after: EncodedJobState | undefined): void {
    const open = this.#shards.filter(({ isClosed }) => !isClosed);
    const shard = open[Buffer.from(key.jobUid).reduce((sum, byte) => sum + byte, 0) % open.length];
    this.#position += 7;
    shard?.writes.push({
      key,
      position: String(this.#position),
      at: this.now(),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    });
  }

  #newShards(parents: readonly Shard[] = []): Shard[] {
    return Array.from({ length: this.#shardCount }, (_, index): Shard => {
      const parent = parents[index]?.id;
      this.#lastShard += 1;
      const id = `shard-${this.#lastShard}`;
      return { id, isClosed: false, writes: [], ...(parent !== undefined && { parent }) };
    });
  }
}
