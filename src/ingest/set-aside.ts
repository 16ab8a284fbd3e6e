import { createHash } from "node:crypto";
import type { Instant } from "../job/model/instant.ts";
import type { LargeMessages } from "../ports/large-messages.ts";
import type { MetaStore } from "../ports/meta.ts";
import { principalIdOf } from "../ports/principal-id.ts";

/** A message that could not become a log item, kept so that a person can look and nothing is lost. */
export interface SetAside {
  readonly reason: string;
  readonly setAsideAt: Instant;
  readonly bytes: number;
  /** Who sent it, as SQS told; absent for recordings. */
  readonly senderId?: string;
  /** The message in base64; absent where it is longer than a record may be. */
  readonly message?: string;
  /** When it was ingested after all: then the message is in the log, and no longer named here. */
  readonly settledAt?: Instant;
  /** The name under which a longer one lies in {@link LargeMessages}; absent where there is no such place. */
  readonly keptAs?: string;
}

export interface SetAsidePorts {
  readonly meta: MetaStore;
  /** Absent on one machine, where no queue brings messages: of a large one only its size and the reason are kept. */
  readonly largeMessages?: LargeMessages;
}

/** A record's value holds at most 300 KB, and base64 makes four characters of three bytes. */
const MAX_KEPT_BYTES = 200_000;

/** Keeps the message under its SHA-256 and its sender: the same one again changes nothing, and who copies another's message does not stand in its place. */
export async function setAside(
  { meta, largeMessages }: SetAsidePorts,
  message: Uint8Array,
  { reason, now, senderId }: { readonly reason: string; readonly now: Instant; readonly senderId?: string | undefined },
): Promise<void> {
  const key = setAsideKey(message, senderId);
  const isSmall = message.length <= MAX_KEPT_BYTES;
  // The message before the record: a record names nothing that is not there.
  if (!isSmall) await largeMessages?.keep(key, message);
  const record: SetAside = {
    reason,
    setAsideAt: now,
    bytes: message.length,
    ...(senderId !== undefined && { senderId }),
    ...(isSmall && { message: Buffer.from(message).toString("base64") }),
    ...(!isSmall && largeMessages !== undefined && { keptAs: key }),
  };
  await meta.write("setAside", key, JSON.stringify(record), 0);
}

/** Where a message lies once it was set aside. A role's sessions are one sender. */
export function setAsideKey(message: Uint8Array, senderId: string | undefined): string {
  const sha256 = createHash("sha256").update(message).digest("hex");
  return senderId === undefined ? sha256 : `${sha256}#${principalIdOf(senderId)}`;
}
