import pLimit from "p-limit";
import type { Instant } from "../job/model/instant.ts";
import { appendPacked, type ArrivedItem, type PackedOutcome, type Packer } from "./append-packed.ts";
import {
  type Ingested,
  type IngestOptions,
  type IngestPorts,
  ingestSegment,
  openMessage,
  setConflictAside,
} from "./ingest-segment.ts";
import { SUSPECT_RECEIVES } from "./retry-later.ts";
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
  /** Packs segments that arrive together. @default each segment is a log item of its own */
  readonly packer?: Packer;
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
  const limit = pLimit(MAX_CONCURRENT);
  const { packer } = ports;
  if (packer === undefined) return limit.map(messages, (message) => ingestMessage(ports, message, now));
  const opened = await limit.map(messages, (message) => openQueued(ports, message, now));
  const valid = opened.filter((one) => "arrived" in one);
  const packed = await appendPacked(
    packer,
    valid.map(({ arrived }) => arrived),
  );
  const outcomes = new Map(valid.map(({ message }, index) => [message, packed[index]]));
  return limit.map(opened, (one) => ("arrived" in one ? settlePacked(ports, one, outcomes.get(one.message)) : one));
}

async function ingestMessage(ports: MessagePorts, message: QueuedMessage, now: Instant): Promise<MessageOutcome> {
  return attempt(message.id, async () => {
    const read = await readQueued(ports, message);
    if (read === undefined) return { id: message.id, ignored: true };
    return { id: message.id, ingested: await ingestSegment(ports, read.bytes, { now, sender: read.sender }) };
  });
}

/** A message that may be appended. */
interface ValidMessage {
  readonly message: QueuedMessage;
  readonly arrived: ArrivedItem;
  readonly options: IngestOptions;
}

async function openQueued(
  ports: MessagePorts,
  message: QueuedMessage,
  now: Instant,
): Promise<ValidMessage | MessageOutcome> {
  const { id, receiveCount = 1 } = message;
  return attempt<ValidMessage | MessageOutcome>(id, async () => {
    const read = await readQueued(ports, message);
    if (read === undefined) return { id, ignored: true };
    const options = { now, sender: read.sender };
    const opened = await openMessage(ports, read.bytes, options);
    if (opened.outcome === "setAside") return { id, ingested: opened };
    return { message, arrived: { item: opened.item, isAlone: receiveCount >= SUSPECT_RECEIVES }, options };
  });
}

async function settlePacked(
  ports: MessagePorts,
  { message: { id }, arrived: { item }, options }: ValidMessage,
  packed: PackedOutcome | undefined,
): Promise<MessageOutcome> {
  switch (packed?.outcome) {
    case "appended":
    case "duplicate":
      return { id, ingested: { outcome: packed.outcome, item: packed.item } };
    case "conflict": {
      const { storedSha256 } = packed;
      return attempt(id, async () => ({
        id,
        ingested: await setConflictAside(ports, { item, storedSha256 }, options),
      }));
    }
    case "failed":
    case undefined:
      return { id, failed: packed?.cause };
  }
}

/** The sender and the segment of a message; `undefined` where it has no facts. */
async function readQueued(ports: MessagePorts, { bytes, senderId }: QueuedMessage) {
  const sender = await ports.senders.identify(senderId);
  const segment = segmentOf(ports, bytes, sender);
  return segment && { bytes: segment, sender };
}

async function attempt<Outcome>(id: string, work: () => Promise<Outcome>): Promise<Outcome | MessageOutcome> {
  try {
    return await work();
  } catch (failed) {
    // A failed read is not the message's fault: only invalid messages are set aside.
    return { id, failed };
  }
}

/** `{`: no segment begins with it. */
const JSON_BEGIN = 0x7b;

/**
 * The message as a segment; `undefined` if it contains no facts. A message in an unknown format is returned unchanged,
 * and set aside later.
 */
function segmentOf({ readForeign }: MessagePorts, bytes: Uint8Array, sender: Sender): Uint8Array | undefined {
  const foreign = bytes[0] === JSON_BEGIN ? readForeign?.(Buffer.from(bytes).toString()) : undefined;
  if (foreign === undefined) return bytes;
  return foreign.facts.length === 0 ? undefined : (sealHints(foreign, sender) ?? bytes);
}
