import type { Instant } from "../model/instant.ts";
import { firstEnd } from "../model/outcome.ts";
import { endedAt, startedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

/**
 * The total run time, in milliseconds, of Pods that succeeded after the `needed` number of successes was reached. It
 * relies on the clocks of the nodes.
 */
export function needlessMillis(pods: Iterable<PodRecord>, needed: number): number {
  const runs: { readonly end: Instant; readonly millis: number }[] = [];
  for (const pod of pods) {
    const [start, end] = [startedAt(pod), endedAt(pod)];
    if (pod.succeeded === undefined || firstEnd(pod) !== pod.succeeded) continue;
    if (start !== undefined && end !== undefined) runs.push({ end, millis: Math.max(0, end - start) });
  }
  return runs
    .sort((a, b) => a.end - b.end)
    .slice(needed)
    .reduce((sum, { millis }) => sum + millis, 0);
}
