import pLimit from "p-limit";
import type { Instant } from "../job/model/instant.ts";
import { type Ingested, type IngestPorts, ingestSegment } from "./ingest-segment.ts";
import { type ForeignMessage, sealHints } from "./seal-hints.ts";
import type { Sender } from "./sender.ts";
import type { SenderRegistry } from "./sender-registry.ts";

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
  /** A message of another exporter that says nothing of Jobs: most Events of a cluster are about other things. */
  | { readonly id: string; readonly ignored: true }
  /** The world is broken, not the message: it must come again. */
  | { readonly id: string; readonly failed: unknown };

export interface MessagePorts extends IngestPorts {
  readonly senders: SenderRegistry;
  /** Reads messages of other exporters, which are JSON; `undefined` where the text is none of theirs. */
  readonly readForeign?: (text: string) => ForeignMessage | undefined;
}

/** Messages ingested at the same time: as many as SQS gives a function without a batching window. */
const MAX_CONCURRENT = 10;

/** What became of each message, in the order given. One that cannot be ingested now harms none beside it. */
export async function ingestMessages(
  ports: MessagePorts,
  messages: readonly QueuedMessage[],
  now: Instant,
): Promise<readonly MessageOutcome[]> {
  return pLimit(MAX_CONCURRENT).map(messages, (message) => ingestMessage(ports, message, now));
}

async function ingestMessage(
  ports: MessagePorts,
  { id, bytes, senderId }: QueuedMessage,
  now: Instant,
): Promise<MessageOutcome> {
  try {
    const sender = await ports.senders.identify(senderId);
    const segment = segmentOf(ports, bytes, sender);
    if (segment === undefined) return { id, ignored: true };
    return { id, ingested: await ingestSegment(ports, segment, now, { sender }) };
  } catch (failed) {
    // Whatever it was, ingestSegment sets aside what is wrong with a message: this is a store that does not answer.
    return { id, failed };
  }
}

/** `{`, with which no segment begins. */
const JSON_BEGIN = 0x7b;

/** The message, or what it says as a segment. `undefined` where it says nothing. What cannot be made a segment is set aside as it came. */
function segmentOf({ readForeign }: MessagePorts, bytes: Uint8Array, sender: Sender): Uint8Array | undefined {
  const foreign = bytes[0] === JSON_BEGIN ? readForeign?.(Buffer.from(bytes).toString()) : undefined;
  if (foreign === undefined) return bytes;
  return foreign.facts.length === 0 ? undefined : (sealHints(foreign, sender) ?? bytes);
}
