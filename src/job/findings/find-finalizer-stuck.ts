import { durationText } from "../../text/duration-text.ts";
import { jobFactRef, podFactRef } from "../model/fact-ref.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Find, FindingContext } from "./finding-search.ts";
import type { Finding } from "../../explain/answer-document.ts";
import { firstEnd, isGone } from "../model/outcome.ts";
import { endedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { PodSample } from "./pod-sample.ts";
import { count, list } from "../../text/sentence.ts";

/** A slow Job controller takes a minute to account for a Pod (measured: p95 62 s at 2,000 Jobs); ten is stuck. */
const STUCK_MS = 600_000;

/** Pods that ended long ago and still carry the tracking finalizer, and a Job that was asked to go long ago and is held by finalizers. */
export const findFinalizerStuck: Find = (context) => {
  const stuck = new PodSample();
  return {
    look(pod) {
      if (isStuck(pod, context)) stuck.add(pod);
    },
    found: () => [...stuckPods(stuck), ...stuckJob(context)],
  };
};

function isStuck(pod: PodRecord, { job, spec, now }: FindingContext): boolean {
  const end = firstEnd(pod);
  if (end === undefined || pod.tracked === undefined || pod.untracked !== undefined || isGone(pod)) return false;
  // A failed Pod is held back by design until the next Pod of its index is made, which the back-off delays (job-semantics 7).
  const isHeldBack = spec.backoffLimitPerIndex !== undefined && end.phase === "Failed";
  const isOver = job.complete !== undefined || job.failed !== undefined || job.deleted !== undefined;
  return (isOver || !isHeldBack) && now - (endedAt(pod) ?? end.at) >= STUCK_MS;
}

function stuckPods(stuck: PodSample): readonly Finding[] {
  if (stuck.count === 0) return [];
  const evidence = stuck.pods.flatMap((pod) => {
    const end = firstEnd(pod);
    return end === undefined ? [] : [podFactRef(pod, end, "ended, with the tracking finalizer still on", endedAt(pod))];
  });
  const message =
    `${count(stuck.count, "Pod")} ended more than ${durationText(STUCK_MS)} ago and still ${stuck.count === 1 ? "carries" : "carry"} the tracking finalizer ` +
    `(${stuck.list()}): the Job controller does not get to them.`;
  return [{ kind: "FinalizerStuck", message, ...stuck.since(endedAt), ...stuck.named, evidence }];
}

function stuckJob({ job, now }: FindingContext): readonly Finding[] {
  const { deletionRequested, deleted, vanished } = job;
  if (deletionRequested === undefined || deleted !== undefined || vanished !== undefined) return [];
  const waited = now - instantOf(deletionRequested);
  if (waited < STUCK_MS || deletionRequested.finalizers.length === 0) return [];
  const held = list(deletionRequested.finalizers);
  const message = `The Job was asked to go ${durationText(waited)} ago and is held by ${held}.`;
  return [
    {
      kind: "FinalizerStuck",
      message,
      evidence: [jobFactRef(job, deletionRequested, `was asked to go, held by ${held}`)],
    },
  ];
}
