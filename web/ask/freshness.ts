import { signal } from "@preact/signals";
import type { Failed } from "./asked.ts";

/** When the API last answered, and why it does not now. */
export interface Freshness {
  readonly answeredAt: number | undefined;
  readonly failure: Failed | undefined;
}

export const freshness = signal<Freshness>({ answeredAt: undefined, failure: undefined });

export function noteAnswer(at: number): void {
  freshness.value = { answeredAt: at, failure: undefined };
}

/** What the API refuses for a reason that lies in the question (4xx) is an answer: it is told where it was asked. */
export function noteFailure(failure: Failed): void {
  if (failure.outcome === "refused" && failure.status < 500) return;
  freshness.value = { ...freshness.peek(), failure };
}
