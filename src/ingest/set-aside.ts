import { createHash } from "node:crypto";
import type { Instant } from "../job/instant.ts";
import type { MetaStore } from "../ports/meta.ts";

/** A message that could not become a log item, kept so that a person can look and nothing is lost. */
export interface SetAside {
  readonly reason: string;
  readonly setAsideAt: Instant;
  readonly bytes: number;
  /** The message in base64; absent where it is longer than a record may be. */
  readonly message?: string;
}

/** A record's value holds at most 300 KB, and base64 makes four characters of three bytes. */
const MAX_KEPT_BYTES = 200_000;

/** Keeps the message under its SHA-256: the same one again changes nothing. */
export async function setAside(meta: MetaStore, message: Uint8Array, reason: string, now: Instant): Promise<void> {
  const record: SetAside = {
    reason,
    setAsideAt: now,
    bytes: message.length,
    ...(message.length <= MAX_KEPT_BYTES ? { message: Buffer.from(message).toString("base64") } : {}),
  };
  const key = createHash("sha256").update(message).digest("hex");
  await meta.write("setAside", key, JSON.stringify(record), 0);
}
