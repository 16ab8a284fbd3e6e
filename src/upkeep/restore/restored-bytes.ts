import { createHash } from "node:crypto";
import type { Instant } from "../../job/model/instant.ts";

/** A segment of the log that is restored, and when it arrived there. */
export interface ArrivedBytes {
  readonly bytes: Uint8Array;
  readonly arrivedAt: Instant;
}

/** The hash of the sealed bytes: equal segments with different compression count as two segments. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}
