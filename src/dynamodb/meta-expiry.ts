import { dayBegin, type Instant } from "../job/model/instant.ts";
import { LOG_MORE_DAYS } from "../ports/log.ts";
import type { MetaKind } from "../ports/meta.ts";
import { expiryOf } from "./expiry.ts";

/**
 * When a record may go. Hints come for every object that Kubernetes has an Event for, and explain a Job for as long as it is kept: they go so long after
 * the last of them. A day of the log goes when its last items have. What was set aside waits for a person, but not for ever. All others are few, or true
 * until they are written anew: gaps are kept, because a Job that outlives one must not claim to be complete.
 */
export function metaExpiry(
  kind: MetaKind,
  key: string,
  { retentionDays, now }: { readonly retentionDays: number; readonly now: Instant },
): number | undefined {
  // Segments wait for seconds; where nobody came for them, the audit did within hours.
  if (kind === "waiting") return expiryOf(now, 30);
  if (kind === "hints" || kind === "setAside" || kind === "late") return expiryOf(now, retentionDays + LOG_MORE_DAYS);
  if (kind !== "logDay") return undefined;
  const begin = dayBegin(key.slice(key.lastIndexOf("#") + 1));
  return begin === undefined ? undefined : expiryOf(begin, retentionDays + LOG_MORE_DAYS + 2);
}
