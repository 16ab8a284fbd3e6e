import { millisOf } from "../../text/instant-text.ts";
import type { Bar } from "./timeline.ts";

/** A Job or a run, as the end of its axis depends on it. */
interface Ending {
  readonly finishedAt?: string | undefined;
  readonly verdict: { readonly final: boolean };
}

/** The axis ends at the end of the work. While it is open, it ends now if that leaves enough room for the rest. */
export function axisEnds(
  { finishedAt, verdict }: Ending,
  bars: readonly Bar[],
  now: number,
): readonly (number | undefined)[] {
  const first = bars.reduce((least, { createdAt }) => Math.min(least, createdAt), Number.POSITIVE_INFINITY);
  const last = bars.reduce(
    (most, { createdAt, startedAt, endedAt }) => Math.max(most, endedAt ?? startedAt ?? createdAt),
    0,
  );
  const isNear = !verdict.final && now - first < 4 * (last - first + 60_000);
  return [millisOf(finishedAt), isNear ? now : undefined];
}
