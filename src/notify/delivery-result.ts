import type { BackOff, BackOffBounds } from "../ports/concurrency/back-off.ts";
import type { Instant } from "../job/model/instant.ts";
import type { SendResult } from "../ports/message-sender.ts";
import type { DeliveryResult } from "../ports/notices.ts";

/** After a day of attempts, a delivery is dead. A clock that jumps ahead does not end the attempts by itself. */
const RETRY_MILLIS = 86_400_000;
const MIN_ATTEMPTS = 30;

/** How long a message that was not accepted waits. */
export const DELIVERY_BACK_OFF: BackOffBounds = { firstMillis: 5_000, maxMillis: 15 * 60_000, jitter: "half" };

/** The receiver understood the request and will not accept it: 400, 413, 422. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

export interface Attempted {
  /** The number of attempts, including this one. */
  readonly attempts: number;
  readonly firstTriedAt: Instant | undefined;
  readonly now: Instant;
  /** Milliseconds until the next attempt. */
  readonly backOff: BackOff;
}

/** What becomes of a delivery after an attempt. */
export function deliveryResult(sent: SendResult, { attempts, firstTriedAt, now, backOff }: Attempted): DeliveryResult {
  if (sent.outcome === "accepted") return { outcome: "delivered" };
  const { problem } = sent;
  if (sent.outcome === "refused") return { outcome: "dead", problem };
  if (sent.outcome === "rejected" && REFUSALS.has(sent.status)) return { outcome: "dead", problem };
  if (attempts >= MIN_ATTEMPTS && now - (firstTriedAt ?? now) >= RETRY_MILLIS) return { outcome: "dead", problem };
  const wanted = sent.outcome === "rejected" ? (sent.retryAfterMillis ?? 0) : 0;
  return { outcome: "failed", problem, nextAt: now + Math.max(wanted, backOff(attempts)) };
}
