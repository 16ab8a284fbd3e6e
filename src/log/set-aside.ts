import { createHash } from "node:crypto";
import type { Instant } from "../job/model/instant.ts";
import type { LargeMessages } from "../ports/large-messages.ts";
import type { MetaStore } from "../ports/meta.ts";
import { principalIdOf } from "../ports/principal-id.ts";
import { writeRecord } from "../ports/records/record-codec.ts";
import type { SetAsideQuota } from "./set-aside-quota.ts";
import { type SetAside, setAsideRecord } from "../ports/records/set-aside-record.ts";

export interface SetAsidePorts {
  readonly meta: MetaStore;
  /** Absent without a queue (one machine): then only the size and reason of a large message are stored. */
  readonly largeMessages?: LargeMessages;
  /** Limits what is stored for each sender. @default no limit, because on one machine the sender is this process */
  readonly quota?: Pick<SetAsideQuota, "take">;
}

/** A record's value has at most 300 KB, and base64 makes four characters of three bytes. */
const MAX_RECORD_BYTES = 200_000;

/** Why a message is set aside, when, and who sent it. */
export interface SetAsideReason {
  readonly reason: string;
  readonly now: Instant;
  readonly senderId?: string | undefined;
}

/**
 * Stores a message under its SHA-256 and its sender. Repeating this changes nothing, and a copy from another sender
 * does not replace it. Messages beyond the sender's quota are dropped.
 */
export async function setAside(
  { meta, largeMessages, quota }: SetAsidePorts,
  message: Uint8Array,
  { reason, now, senderId }: SetAsideReason,
): Promise<void> {
  const key = setAsideKey(message, senderId);
  if ((await meta.read("setAside", key)) !== undefined) return;
  if ((await quota?.take(senderId, message.length)) === false) return;
  const isSmall = message.length <= MAX_RECORD_BYTES;
  // The message is stored first, so that no record refers to a missing message.
  if (!isSmall) await largeMessages?.keep(key, message);
  const value: SetAside = {
    reason,
    setAsideAt: now,
    bytes: message.length,
    ...(senderId !== undefined && { senderId }),
    ...(isSmall && { message: Buffer.from(message).toString("base64") }),
    ...(!isSmall && largeMessages !== undefined && { keptAs: key }),
  };
  await writeRecord(meta, setAsideRecord, { key, value, expected: 0 });
}

/** The key of a set-aside message. All sessions of a role count as one sender. */
export function setAsideKey(message: Uint8Array, senderId: string | undefined): string {
  const sha256 = createHash("sha256").update(message).digest("hex");
  return senderId === undefined ? sha256 : `${sha256}#${principalIdOf(senderId)}`;
}
