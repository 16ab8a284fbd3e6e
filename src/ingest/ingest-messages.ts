import type { Instant } from "../job/instant.ts";
import { type Ingested, type IngestPorts, ingestSegment } from "./ingest-segment.ts";
import type { SpeakerBook } from "./speaker-book.ts";

/** A message as the queue had it. */
export interface QueuedMessage {
  /** Names the message to whoever brings it. */
  readonly id: string;
  readonly bytes: Uint8Array;
  /** Who sent it, as SQS itself says. */
  readonly senderId?: string;
}

export type MessageOutcome =
  | { readonly id: string; readonly ingested: Ingested }
  /** The world is broken, not the message: it must come again. */
  | { readonly id: string; readonly failed: unknown };

export interface MessagePorts extends IngestPorts {
  readonly speakers: SpeakerBook;
}

/** Messages ingested at once: as many as SQS gives a function without a batching window. */
const LANES = 10;

/** What became of each message, in the order given. One that cannot be ingested now harms none beside it. */
export async function ingestMessages(
  ports: MessagePorts,
  messages: readonly QueuedMessage[],
  now: Instant,
): Promise<readonly MessageOutcome[]> {
  const outcomes = new Map<number, MessageOutcome>();
  const queue = messages.entries();
  const lane = async () => {
    for (const [index, message] of queue) outcomes.set(index, await ingestMessage(ports, message, now));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return messages.flatMap((_, index) => outcomes.get(index) ?? []);
}

async function ingestMessage(
  ports: MessagePorts,
  { id, bytes, senderId }: QueuedMessage,
  now: Instant,
): Promise<MessageOutcome> {
  try {
    const speaker = await ports.speakers.identify(senderId);
    return { id, ingested: await ingestSegment(ports, bytes, now, { speaker }) };
  } catch (failed) {
    // Whatever it was, ingestSegment sets aside what is wrong with a message: this is a store that does not answer.
    return { id, failed };
  }
}
