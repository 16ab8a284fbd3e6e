import { type Instant, parseInstant } from "../../job/model/instant.ts";
import type { Span } from "./span.ts";

/** An instant of an answer, and whether it is the start or end of the object itself. */
export interface Candidate {
  readonly at: string | Instant | undefined;
  /** @default it is exact */
  readonly isEstimate?: boolean;
}

interface Chosen {
  readonly at: Instant;
  readonly isEstimate: boolean;
}

/** The start and end of a span, and the attribute that names those of them that are estimates. */
export interface SpanTimes extends Pick<Span, "startAt" | "endAt"> {
  readonly estimated: { readonly "outlive.estimated_times"?: readonly string[] };
}

/**
 * The first known start and the first known end. Clocks of nodes and of the API server differ: a span that would end
 * before it starts has no duration, and its end is an estimate.
 */
export function spanTimes(starts: readonly Candidate[], ends: readonly Candidate[]): SpanTimes {
  const end = chosen(ends);
  const start = chosen(starts) ?? { at: end?.at ?? 0, isEstimate: true };
  const last = end ?? { at: start.at, isEstimate: true };
  const isBackwards = last.at < start.at;
  const estimated = [...(start.isEstimate ? ["start"] : []), ...(last.isEstimate || isBackwards ? ["end"] : [])];
  return {
    startAt: start.at,
    endAt: isBackwards ? start.at : last.at,
    estimated: estimated.length === 0 ? {} : { "outlive.estimated_times": estimated },
  };
}

function chosen(candidates: readonly Candidate[]): Chosen | undefined {
  for (const { at: text, isEstimate = false } of candidates) {
    const at = typeof text === "number" ? text : parseInstant(text);
    // A container that could not start has a start in 1970.
    if (at !== undefined && at > 0) return { at, isEstimate };
  }
  return undefined;
}
