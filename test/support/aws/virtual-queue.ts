import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { HiddenMessage } from "../../../src/sqs/message-queue.ts";
import { queueEvent } from "./queue-event.ts";

export interface VirtualQueueOptions {
  readonly visibilitySeconds: number;
  readonly maxReceives: number;
  /** Batches that the function processes at once. */
  readonly lanes: number;
  /** Seconds that the function takes for a batch, at this time. */
  readonly batchSeconds: (now: number) => number;
  readonly handle: (event: SQSEvent) => Promise<SQSBatchResponse>;
}

interface Waiting {
  readonly id: string;
  readonly body: string;
  readonly group: string;
  readonly sentAt: number;
  visibleAt: number;
  receives: number;
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
  readonly #lanes: { freeAt: number }[];
  readonly deadLetters: string[] = [];
  /** Seconds from sending to deletion, of each deleted message. */
  readonly delays = new Map<string, number>();
  now = 0;
  mostReceives = 0;

  constructor(options: VirtualQueueOptions) {
    this.#options = options;
    this.#lanes = Array.from({ length: options.lanes }, () => ({ freeAt: 0 }));
  }

  get size(): number {
    return this.#waiting.size;
  }

  send(id: string, body: string, group = "east"): void {
    this.#waiting.set(id, { id, body, group, sentAt: this.now, visibleAt: this.now, receives: 0 });
  }

  readonly hide = async (messages: readonly HiddenMessage[]): Promise<void> => {
    for (const { receipt, seconds } of messages) {
      const message = this.#waiting.get(receipt.replace("receipt-of-", ""));
      if (message !== undefined) message.visibleAt = this.now + seconds;
    }
  };

  /** One second: every free lane takes batches until it is busy for longer. */
  async tick(): Promise<void> {
    for (const lane of this.#lanes) {
      lane.freeAt = Math.max(lane.freeAt, this.now);
      while (lane.freeAt < this.now + 1) {
        const batch = this.#receive();
        if (batch.length === 0) break;
        lane.freeAt += this.#options.batchSeconds(this.now);
        await this.#process(batch);
      }
    }
    this.now += 1;
  }

  #receive(): readonly Waiting[] {
    const batch: Waiting[] = [];
    for (const message of this.#waiting.values()) {
      if (batch.length === BATCH) break;
      if (message.visibleAt > this.now) continue;
      message.receives += 1;
      this.mostReceives = Math.max(this.mostReceives, message.receives);
      message.visibleAt = this.now + this.#options.visibilitySeconds;
      if (message.receives <= this.#options.maxReceives) batch.push(message);
      else this.#bury(message);
    }
    return batch;
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
