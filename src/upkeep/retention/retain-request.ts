import * as v from "valibot";
import type { Guarded } from "./guard-expiry.ts";

/**
 * The invocation of the retain function: by its schedule, or by a command that waits for a rule or hold to take effect.
 */
export interface RetainRequest {
  /** For how many seconds stored Jobs are visited. @default as long as the function may run */
  readonly seconds?: number;
}

/** The most that a command waits for one response. */
export const RETAIN_SECONDS = 45;

export interface RetainResponse extends Guarded {
  /** Rules and holds that are not yet applied to all stored Jobs. Their progress is in the records. */
  readonly pending: number;
}

const request = v.looseObject({ seconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(900))) });

/** The request in an event; of an event of another form (a schedule's), one without limits. */
export function readRetainRequest(event: unknown): RetainRequest {
  const read = v.safeParse(request, event);
  const { seconds } = read.success ? read.output : {};
  return seconds === undefined ? {} : { seconds };
}

/** Whether a function of this release answered. Earlier ones support no rules. */
export function isRetainResponse(answer: unknown): answer is RetainResponse {
  return typeof answer === "object" && answer !== null && "pending" in answer;
}
