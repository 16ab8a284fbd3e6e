import { type ClusterContext, hintKey } from "../model/cluster-context.ts";
import type { EventHinted, HintTarget } from "../model/fact.ts";
import { formatInstant, type Instant } from "../model/instant.ts";

/** The reason of a hint that Pod GC deleted ended Pods of many Jobs from `firstAt` to `lastAt`, in `count` sweeps. */
export const SWEEPS_REASON = "PodGcSweeps";

/** The kind of hint. Core Events have a uid instead, so a principal that may only create Events cannot fake a sweep. */
export function sweepsId(firstAt: Instant): string {
  return `pod-gc/${firstAt}`;
}

/** Deletions this close to observed sweeps are most likely part of sweeps, too. */
const AROUND_MS = 120_000;

/**
 * The key of the record of one hour's sweeps. No Node can have this name, so the hints of no other object are stored
 * there.
 */
export function sweepsTarget(at: Instant): HintTarget {
  return { kind: "Node", namespace: "", name: `pod-gc/${formatInstant(at).slice(0, "2026-01-01T00".length)}` };
}

/** The records to read for a deletion at this instant: of its hour, and of the next or previous one if it is near. */
export function sweepsTargetsAround(at: Instant): readonly HintTarget[] {
  const [before, after] = [sweepsTarget(at - AROUND_MS), sweepsTarget(at + AROUND_MS)];
  return before.name === after.name ? [before] : [before, after];
}

/** The observed sweeps of Pod GC around an instant. */
export function sweepsAround(at: Instant, { hints }: ClusterContext): EventHinted | undefined {
  const known = sweepsTargetsAround(at).flatMap((target) => hints.get(hintKey(target)) ?? []);
  for (const hint of known) {
    if (hint.kind !== "EventHinted" || hint.hintId !== sweepsId(hint.firstAt)) continue;
    if (hint.firstAt - AROUND_MS <= at && at <= hint.lastAt + AROUND_MS) return hint;
  }
  return undefined;
}
