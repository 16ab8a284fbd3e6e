/** The dead-letter queue of a deployment, and what feeds its messages to the ingest function. */
export interface DeadLetterFeed {
  /**
   * Starts or stops the feed. The function then ingests several batches at once, with the original senders. `busy`: an
   * earlier change is still taking effect.
   */
  readonly enable: (isEnabled: boolean) => Promise<"changed" | "busy">;
  /** The approximate number of messages in the queue, including those in progress. */
  readonly depth: () => Promise<number>;
  /** Waits before the next check of the queue. */
  readonly pause: () => Promise<unknown>;
  /** Whether the operator has asked to stop. */
  readonly isStopped: () => boolean;
}

export interface Drained {
  /** Messages that left the queue: they are in the log, or set aside with a reason. */
  readonly taken: number;
  /** Messages that failed again, or were not taken yet, and are still in the queue. */
  readonly left: number;
}

/**
 * How many checks without progress end the drain. They take longer than the visibility timeout of a message whose
 * function was killed.
 */
const MOST_IDLE_LOOKS = 60;
/** SQS's count is approximate: it still counts messages that have left, and misses messages that have just arrived. */
const EMPTY_LOOKS = 3;
/** Attempts to start or stop the feed, with a pause between them. A change takes effect within a minute. */
const MOST_ATTEMPTS = 60;

/**
 * Feeds dead letters to the ingest function until the queue is empty, its size stops decreasing, or the operator stops.
 * Afterwards the feed is off, even if a killed run had left it on.
 */
export async function drainDeadLetters(feed: DeadLetterFeed): Promise<Drained> {
  try {
    const before = await feed.depth();
    const left = before === 0 || feed.isStopped() ? before : await drain(feed, before);
    return { taken: before - left, left };
  } finally {
    await turn(feed, false);
  }
}

/** Returns how many messages are left. */
async function drain(feed: DeadLetterFeed, before: number): Promise<number> {
  let left = before;
  let idle = 0;
  let empty = 0;
  await turn(feed, true);
  while (empty < EMPTY_LOOKS && idle < MOST_IDLE_LOOKS && !feed.isStopped()) {
    await feed.pause();
    const now = await feed.depth();
    idle = now < left ? 0 : idle + 1;
    empty = now === 0 ? empty + 1 : 0;
    left = Math.min(left, now);
  }
  return left;
}

async function turn({ enable, pause }: DeadLetterFeed, isEnabled: boolean): Promise<void> {
  for (let attempt = 1; (await enable(isEnabled)) === "busy"; attempt += 1) {
    if (attempt === MOST_ATTEMPTS) throw new FeedBusyError(isEnabled);
    await pause();
  }
}

/** Another change of the feed is still taking effect. */
class FeedBusyError extends Error {
  override readonly name = "FeedBusyError";

  constructor(isEnabled: boolean) {
    super(
      `Cannot ${isEnabled ? "enable" : "disable"} the redrive mapping: Lambda is still changing it. Run \`outlive ` +
        "redrive --what dead-letters` again: it disables the mapping at its end.",
    );
  }
}
