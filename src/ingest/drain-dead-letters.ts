/** The dead-letter queue of a deployment, and what feeds its messages to the ingest function. */
export interface DeadLetterFeed {
  /** Starts or stops the feed. The function then ingests several batches at once, with the original senders. */
  readonly enable: (isEnabled: boolean) => Promise<void>;
  /** The number of messages in the queue, also those that are being processed. SQS counts approximately. */
  readonly depth: () => Promise<number>;
  /** Waits before the next look at the queue. */
  readonly pause: () => Promise<unknown>;
}

export interface Drained {
  /** Messages that left the queue: they are in the log, or set aside with a reason. */
  readonly taken: number;
  /** Messages that failed again and are still in the queue. */
  readonly left: number;
}

/**
 * Looks without any progress after which the rest is left. It is longer than the visibility timeout of a message whose
 * function was killed.
 */
const MOST_IDLE_LOOKS = 60;
/** SQS counts a message for some time where it no longer is, and misses one that has just arrived. */
const EMPTY_LOOKS = 3;

/** Feeds dead letters to the ingest function until the queue is empty, or does not become emptier. */
export async function drainDeadLetters({ enable, depth, pause }: DeadLetterFeed): Promise<Drained> {
  const before = await depth();
  if (before === 0) return { taken: 0, left: 0 };
  let left = before;
  let idle = 0;
  let empty = 0;
  await enable(true);
  try {
    while (empty < EMPTY_LOOKS && idle < MOST_IDLE_LOOKS) {
      await pause();
      const now = await depth();
      idle = now < left ? 0 : idle + 1;
      empty = now === 0 ? empty + 1 : 0;
      left = Math.min(left, now);
    }
  } finally {
    await enable(false);
  }
  return { taken: before - left, left };
}
