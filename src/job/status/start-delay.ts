import type { Instant } from "../model/instant.ts";
import { startedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** Milliseconds from the creation of a Job to the start of the first of these Pods; `undefined` if none has started. */
export function startDelay(createdAt: Instant, pods: Iterable<PodRecord>): number | undefined {
  let first: Instant | undefined;
  for (const pod of pods) {
    const at = startedAt(pod);
    if (at !== undefined && (first === undefined || at < first)) first = at;
  }
  return first === undefined ? undefined : Math.max(0, first - createdAt);
}
