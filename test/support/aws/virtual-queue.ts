import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { HiddenMessage } from "../../../src/adapters/sqs/message-queue.ts";
import { queueEvent } from "./queue-event.ts";

export interface VirtualQueueOptions {
  readonly visibilitySeconds: number;
  readonly maxReceives: number;
  /** Batches that the function processes at once. */
  readonly lanes: number;
  /** Seconds that the function takes for a batch, at this time. */
  readonly batchSeconds: (now: number) => number;
  readonly handle: (event: SQSEvent) => Promise<SQSBatchResponse>;
  /**
   * Whether messages of quiet groups are received before those of noisy ones, as SQS describes its fair queues. The
   * emulators have no fair queues. @default false
   */
  readonly isFair?: boolean;
}

/**
 * When a group is noisy (SQS Developer Guide, "How Amazon SQS fair queues work"): more than this share of all messages
 * in flight, and at least so many. It stays noisy until none of its messages wait.
 */
const NOISY_SHARE = 0.1;
const NOISY_LEAST = 30;

interface Lane {
  freeAt: number;
  /** The groups of the messages that it processes until then. */
  groups: readonly string[];
}

interface Waiting {
  readonly id: string;
  readonly body: string;
  readonly group: string;
  readonly sentAt: number;
  visibleAt: number;
  receives: number;
  readonly sentAfter: number;
}

/** The most messages that one request of SQS returns. */
const BATCH = 10;

/**
 * A standard queue with a dead-letter queue and its event source mapping, in virtual time of whole seconds: what SQS
 * and Lambda do with messages that fail. Messages are received in the order in which they become visible.
 */
export class VirtualQueue {
  readonly #options: VirtualQueueOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #lanes: Lane[];
  readonly #noisy = new Set<string>();
  #batches = 0;
  readonly deadLetters: string[] = [];
  /** Seconds from sending to deletion, of each deleted message. */
  readonly delays = new Map<string, number>();
  /** Batches that were received between the sending and the first receive of each message, this one included. */
  readonly turns = new Map<string, number>();
  now = 0;
  mostReceives = 0;

  constructor(options: VirtualQueueOptions) {
    this.#options = options;
    this.#lanes = Array.from({ length: options.lanes }, () => ({ freeAt: 0, groups: [] }));
  }

  get size(): number {
    return this.#waiting.size;
  }

  send(id: string, body: string, group = "east"): void {
    this.#waiting.set(id, {
      id,
      body,
      group,
      sentAt: this.now,
      visibleAt: this.now,
      receives: 0,
      sentAfter: this.#batches,
    });
  }

  readonly hide = async (messages: readonly HiddenMessage[]): Promise<void> => {
    for (const { receipt, seconds } of messages) {
      const message = this.#waiting.get(receipt.replace("receipt-of-", ""));
      if (message !== undefined) message.visibleAt = this.now + seconds;
    }
  };

  /** One second: the lane that is free first takes the next batch, until all are busy for longer. */
  async tick(): Promise<void> {
    for (const lane of this.#lanes) lane.freeAt = Math.max(lane.freeAt, this.now);
    for (;;) {
      const lane = this.#lanes.reduce((first, other) => (other.freeAt < first.freeAt ? other : first));
      if (lane.freeAt >= this.now + 1) break;
      lane.groups = [];
      const batch = this.#receive(lane.freeAt);
      if (batch.length === 0) break;
      lane.groups = batch.map(({ group }) => group);
      lane.freeAt += this.#options.batchSeconds(this.now);
      await this.#process(batch);
    }
    this.now += 1;
  }

  #receive(at: number): readonly Waiting[] {
    this.#batches += 1;
    const batch: Waiting[] = [];
    for (const message of this.#inOrder(at)) {
      if (batch.length === BATCH) break;
      message.receives += 1;
      if (message.receives === 1) this.turns.set(message.id, this.#batches - message.sentAfter);
      this.mostReceives = Math.max(this.mostReceives, message.receives);
      message.visibleAt = this.now + this.#options.visibilitySeconds;
      if (message.receives <= this.#options.maxReceives) batch.push(message);
      else this.#bury(message);
    }
    return batch;
  }

  /** The visible messages in the order in which they are received. */
  #inOrder(at: number): readonly Waiting[] {
    const visible = [...this.#waiting.values()].filter(({ visibleAt }) => visibleAt <= this.now);
    if (this.#options.isFair !== true) return visible;
    this.#noteNoisy(at, new Set(visible.map(({ group }) => group)));
    return [
      ...visible.filter(({ group }) => !this.#noisy.has(group)),
      ...visible.filter(({ group }) => this.#noisy.has(group)),
    ];
  }

  #noteNoisy(at: number, waiting: ReadonlySet<string>): void {
    const inFlight = this.#lanes.filter(({ freeAt }) => freeAt > at).flatMap(({ groups }) => groups);
    for (const [group, own] of Map.groupBy(inFlight, (one) => one)) {
      if (own.length >= NOISY_LEAST && own.length > NOISY_SHARE * inFlight.length) this.#noisy.add(group);
    }
    for (const group of this.#noisy) if (!waiting.has(group)) this.#noisy.delete(group);
  }

  #bury({ id }: Waiting): void {
    this.#waiting.delete(id);
    this.deadLetters.push(id);
  }

  async #process(batch: readonly Waiting[]): Promise<void> {
    const event = queueEvent(batch.map(({ id, body, receives }) => ({ messageId: id, body, receiveCount: receives })));
    const { batchItemFailures } = await this.#options.handle(event);
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const message of batch) {
      if (failed.has(message.id)) continue;
      this.#waiting.delete(message.id);
      this.delays.set(message.id, this.now - message.sentAt);
    }
  }
}
