import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { now } from "../shell/clock.ts";
import { millisOf } from "../text/instant-text.ts";
import { spanText } from "../text/span-text.ts";

/** From the first start of a Job to the end of the run, or to now while it runs. */
export function runDuration(run: RunAnswer): string {
  const millis = runMillis(run);
  return millis === undefined ? "–" : spanText(millis);
}

export function runMillis({ startedAt, finishedAt, verdict }: RunAnswer): number | undefined {
  const from = millisOf(startedAt);
  const to = millisOf(finishedAt) ?? (verdict.state === "Running" ? now.value : undefined);
  return from === undefined || to === undefined ? undefined : to - from;
}
