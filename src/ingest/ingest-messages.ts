import pLimit from "p-limit";
import type { Instant } from "../job/model/instant.ts";
import { type Ingested, type IngestPorts, ingestSegment } from "./ingest-segment.ts";
import { type ForeignMessage, sealHints } from "./seal-hints.ts";
import type { Sender } from "./sender.ts";
import type { SenderRegistry } from "./sender-registry.ts";

/** A message from the queue. */
export interface QueuedMessage {
  /** Identifies the message to the caller. */
  readonly id: string;
  readonly bytes: Uint8Array;
  /** The sender, as SQS reported it. */
  readonly senderId?: string;
  /** How often it was received, including this time. @default 1 */
  readonly receiveCount?: number;
}

export type MessageOutcome =
  | { readonly id: string; readonly ingested: Ingested }
  /** A message of another exporter without facts about Jobs: most Events of a cluster are about other objects. */
  | { readonly id: string; readonly ignored: true }
  /** A dependency is unavailable: the message must be delivered again. */
  | { readonly id: string; readonly failed: unknown };

export interface MessagePorts extends IngestPorts {
  readonly senders: SenderRegistry;
  /** Reads messages of other exporters, which are JSON; `undefined` where the format is unknown. */
  readonly readForeign?: (text: string) => ForeignMessage | undefined;
}

/** Messages ingested at the same time: as many as SQS gives a function without a batching window. */
const MAX_CONCURRENT = 10;

/** The outcome of each message, in their order. A message that fails does not affect the others. */
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
    return { id, ingested: await ingestSegment(ports, segment, { now, sender }) };
  } catch (failed) {
    // Not the message's fault: ingestSegment sets invalid messages aside.
    return { id, failed };
  }
}

/** `{`: no segment begins with it. */
const JSON_BEGIN = 0x7b;

/**
 * The message as a segment; `undefined` where it has no facts. Anything else is passed on unchanged, and set aside
 * later.
 */
function segmentOf({ readForeign }: MessagePorts, bytes: Uint8Array, sender: Sender): Uint8Array | undefined {
  const foreign = bytes[0] === JSON_BEGIN ? readForeign?.(Buffer.from(bytes).toString()) : undefined;
  if (foreign === undefined) return bytes;
  return foreign.facts.length === 0 ? undefined : (sealHints(foreign, sender) ?? bytes);
}
