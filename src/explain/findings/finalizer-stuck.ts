import { PodSample } from "../../job/evidence/pod-sample.ts";
import { jobEvidence, podEvidence } from "../../job/model/evidence.ts";
import { instantOf } from "../../job/model/fact-instant.ts";
import { firstEnd } from "../../job/model/outcome.ts";
import { endedAt } from "../../job/model/pod-end.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { hasFinalizer } from "../../job/status/settled.ts";
import { durationText } from "../../job/text/duration-text.ts";
import { count, list } from "../../job/text/sentence.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";
import { listPods } from "./pod-names.ts";

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
const find: Find<FinalizerStuck> = (context) => {
  const stuck = new PodSample();
  return {
    visit(pod) {
      if (isStuck(pod, context)) stuck.add(pod);
    },
    found: () => [...stuckPods(stuck), ...stuckJob(context)],
  };
};

/** What the page says about the kind. */
export const finalizerStuckText: KindText = {
  title: "Finalizer stuck",
  meaning: "A deletion was requested, but a finalizer is never removed.",
};

export const finalizerStuck: FindingRegistration<FinalizerStuck> = {
  rule: { of: "managedJobObject", find },
  message: messageOf,
  evidence: ({ evidence }) => presentAll(evidence, describeShown),
  remedies: () => [
    "Check the component that removes the finalizer: the Job controller for Pods, the finalizer's owner for a Job.",
  ],
  headline: { place: "rest", clauses: (finding) => [{ full: headlineText(finding) }] },
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

function messageOf(finding: FinalizerStuck): string {
  switch (finding.stuck) {
    case "pods": {
      const { podCount, afterMillis } = finding;
      return (
        `${count(podCount, "Pod")} ended more than ${durationText(afterMillis)} ago and still ` +
        `${podCount === 1 ? "carries" : "carry"} the tracking finalizer (${listPods(finding)}): the ` +
        `Job controller has not removed it.`
      );
    }
    case "job":
      return (
        `The Job was marked for deletion ${durationText(finding.waitedMillis)} ago, ` +
        `and still has the finalizer ${list(finding.finalizers)}.`
      );
  }
}

function describeShown(shows: FinalizerStuckShows): string {
  switch (shows.what) {
    case "endedWithFinalizer":
      return "ended, with the tracking finalizer still on";
    case "heldByFinalizers":
      return `was marked for deletion, with the finalizer ${list(shows.finalizers)}`;
  }
}

function headlineText(finding: FinalizerStuck): string {
  if (finding.stuck === "job") return "a finalizer holds up a deletion";
  const { podCount } = finding;
  return `${count(podCount, "ended Pod")} still ${podCount === 1 ? "carries" : "carry"} the tracking finalizer`;
}
