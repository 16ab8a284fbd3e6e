import type { FindingOf } from "../findings/finding-search.ts";
import type { Instant } from "../model/instant.ts";
import type { Waiting, WaitingShows } from "./waiting.ts";

/** A Job that has been waiting for so long that it needs attention. */
export type LongWaiting = FindingOf<"Waiting", { readonly waiting: Waiting }, WaitingShows>;

/** After this long a Job that waits needs attention: 5 minutes. */
export const WAITING_AFTER_MS = 300_000;

/** A suspended or queued Job, and one without parallelism, waits on purpose and never needs attention for it. */
const ON_PURPOSE: ReadonlySet<Waiting["reason"]> = new Set(["Suspended", "Queued", "Parallelism"]);

export function findLongWaiting(
  waiting: Waiting | undefined,
  { now }: { readonly now: Instant },
): readonly (LongWaiting & { readonly kind: "Waiting" })[] {
  if (waiting === undefined || ON_PURPOSE.has(waiting.reason)) return [];
  const { since, pods, podCount, evidence } = waiting;
  return now - since < WAITING_AFTER_MS ? [] : [{ kind: "Waiting", waiting, since, pods, podCount, evidence }];
}
