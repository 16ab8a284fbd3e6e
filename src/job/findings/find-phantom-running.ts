import { type Evidence, podEvidence, type PodRef } from "../model/evidence.ts";
import type { Instant } from "../model/instant.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";
import { type Hold, holdOf, unchangedSince } from "./pod-hold.ts";
import { PodSample } from "./pod-sample.ts";

export type PhantomRunning = FindingOf<
  "PhantomRunning",
  { readonly podCount: number } & (
    | { readonly proof: "containersEnded" }
    /** No change for at least `afterMillis`: a phantom, or a long program. */
    | { readonly proof: "none"; readonly afterMillis: number }
  ),
  PhantomRunningShows,
  PhantomPod
>;
export interface PhantomPod extends PodRef {
  /** When the containers ended; without proof, when the Pod last changed. */
  readonly since?: Instant;
}
export type PhantomRunningShows =
  | { readonly what: "containerEnded"; readonly container: string; readonly exitCode: number }
  | { readonly what: "lastRunning"; readonly containersRun: boolean };

/**
 * Pods whose containers have all ended and whose phase is still Running: the Job controller waits for a status that the
 * kubelet did not write. On request, also Pods that run without a change for so long that they may be phantoms; that is
 * no proof, so it is a finding of its own.
 */
export const findPhantomRunning: Find<PhantomRunning> = (context) => {
  const proven = new PodSample();
  const suspected = new PodSample();
  const { spec, clusterContext, now } = context;
  return {
    visit(pod) {
      const hold = holdOf(pod, { restartPolicy: spec.restartPolicy, clusterContext, now });
      if (hold?.hold === "containersEnded") proven.add(pod);
      else if (hold === undefined && isSuspected(pod, context)) suspected.add(pod);
    },
    found: () => [
      ...(proven.count > 0 ? [provenFinding(proven, context)] : []),
      ...(suspected.count > 0 ? [suspectedFinding(suspected, context)] : []),
    ],
  };
};

type Ended = Extract<Hold, { hold: "containersEnded" }>;

function provenFinding(proven: PodSample, { spec, clusterContext, now }: FindingContext): PhantomRunning {
  const endOf = (pod: PodRecord): Ended | undefined => {
    const hold = holdOf(pod, { restartPolicy: spec.restartPolicy, clusterContext, now });
    return hold?.hold === "containersEnded" ? hold : undefined;
  };
  return {
    kind: "PhantomRunning",
    proof: "containersEnded",
    ...proven.since((pod) => endOf(pod)?.since),
    ...proven.namedWith((pod) => sinceOf(endOf(pod)?.since)),
    evidence: proven.pods.flatMap((pod) => endEvidence(pod, endOf(pod))),
  };
}

function endEvidence(pod: PodRecord, hold: Ended | undefined): readonly Evidence<PhantomRunningShows>[] {
  if (hold === undefined) return [];
  const { container, exitCode } = hold.end;
  const ended = podEvidence(pod, hold.end, { shows: { what: "containerEnded", container, exitCode } });
  return [ended, ...observationOf(pod, false)];
}

function observationOf(pod: PodRecord, containersRun: boolean): readonly Evidence<PhantomRunningShows>[] {
  return pod.observed === undefined
    ? []
    : [podEvidence(pod, pod.observed, { shows: { what: "lastRunning", containersRun } })];
}

function isSuspected(pod: PodRecord, { phantomAfter, now }: FindingContext): boolean {
  const since = phantomAfter === undefined ? undefined : unchangedSince(pod);
  return since !== undefined && phantomAfter !== undefined && now - since >= phantomAfter;
}

function suspectedFinding(suspected: PodSample, { phantomAfter = 0 }: FindingContext): PhantomRunning {
  return {
    kind: "PhantomRunning",
    proof: "none",
    afterMillis: phantomAfter,
    ...suspected.since(unchangedSince),
    ...suspected.namedWith((pod) => sinceOf(unchangedSince(pod))),
    evidence: suspected.pods.flatMap((pod) => observationOf(pod, true)),
  };
}

function sinceOf(since: Instant | undefined): { readonly since?: Instant } {
  return since === undefined ? {} : { since };
}
