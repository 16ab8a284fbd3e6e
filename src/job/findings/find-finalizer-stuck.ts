import { jobEvidence, podEvidence } from "../model/evidence.ts";
import { instantOf } from "../model/fact-instant.ts";
import { firstEnd } from "../model/outcome.ts";
import { endedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { hasFinalizer } from "../status/settled.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";
import { PodSample } from "./pod-sample.ts";

export type FinalizerStuck = FindingOf<
  "FinalizerStuck",
  | { readonly stuck: "pods"; readonly podCount: number; readonly afterMillis: number }
  | { readonly stuck: "job"; readonly waitedMillis: number; readonly finalizers: readonly string[] },
  FinalizerStuckShows
>;
export type FinalizerStuckShows =
  | { readonly what: "endedWithFinalizer" }
  | { readonly what: "heldByFinalizers"; readonly finalizers: readonly string[] };

/**
 * A slow Job controller takes a minute to count a Pod (measured: p95 62 s at 2,000 Jobs); after ten minutes it is
 * stuck.
 */
const STUCK_MS = 600_000;

/**
 * Pods that ended long ago and still have the tracking finalizer, and a Job whose deletion was requested long ago and
 * that finalizers keep.
 */
export const findFinalizerStuck: Find<FinalizerStuck> = (context) => {
  const stuck = new PodSample();
  return {
    visit(pod) {
      if (isStuck(pod, context)) stuck.add(pod);
    },
    found: () => [...stuckPods(stuck), ...stuckJob(context)],
  };
};

function isStuck(pod: PodRecord, { job, spec, now }: FindingContext): boolean {
  const end = firstEnd(pod);
  if (end === undefined || !hasFinalizer(pod)) return false;
  // A failed Pod is kept by design until the next Pod of its index is created, which the back-off delays (job-semantics
  // 7).
  const isHeldBack = spec.backoffLimitPerIndex !== undefined && end.phase === "Failed";
  const isOver = job.complete !== undefined || job.failed !== undefined || job.deleted !== undefined;
  return (isOver || !isHeldBack) && now - (endedAt(pod) ?? end.at) >= STUCK_MS;
}

function stuckPods(stuck: PodSample): readonly FinalizerStuck[] {
  if (stuck.count === 0) return [];
  const evidence = stuck.pods.flatMap((pod) => {
    const end = firstEnd(pod);
    return end === undefined
      ? []
      : [podEvidence(pod, end, { shows: { what: "endedWithFinalizer" }, at: endedAt(pod) })];
  });
  const since = stuck.since(endedAt);
  return [{ kind: "FinalizerStuck", stuck: "pods", afterMillis: STUCK_MS, ...since, ...stuck.named, evidence }];
}

function stuckJob({ job, now }: FindingContext): readonly FinalizerStuck[] {
  const { deletionRequested, deleted, vanished } = job;
  if (deletionRequested === undefined || deleted !== undefined || vanished !== undefined) return [];
  const waitedMillis = now - instantOf(deletionRequested);
  const { finalizers } = deletionRequested;
  if (waitedMillis < STUCK_MS || finalizers.length === 0) return [];
  const evidence = [jobEvidence(job, deletionRequested, { what: "heldByFinalizers", finalizers })];
  return [{ kind: "FinalizerStuck", stuck: "job", waitedMillis, finalizers, evidence }];
}
