import { signal } from "@preact/signals";
import type { Failed } from "./api-result.ts";

/** When the API last responded, and why it does not respond now. */
export interface Freshness {
  readonly answeredAt: number | undefined;
  readonly failure: Failed | undefined;
}

export const freshness = signal<Freshness>({ answeredAt: undefined, failure: undefined });

export function noteAnswer(at: number): void {
  freshness.value = { answeredAt: at, failure: undefined };
}

/** Ignores errors of the request itself (4xx): the view that sent it shows them. */
export function noteFailure(failure: Failed): void {
  if (failure.outcome === "refused" && failure.status < 500) return;
  freshness.value = { ...freshness.peek(), failure };
}
