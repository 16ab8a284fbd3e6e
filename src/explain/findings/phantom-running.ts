import { type Hold, holdOf, unchangedSince } from "../../job/evidence/pod-hold.ts";
import { PodSample } from "../../job/evidence/pod-sample.ts";
import { type Evidence, podEvidence, type PodRef } from "../../job/model/evidence.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { durationText } from "../../job/text/duration-text.ts";
import { count, list } from "../../job/text/sentence.ts";
import type { Clause } from "../headline/clause.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";
import { listPods } from "./pod-names.ts";

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
const find: Find<PhantomRunning> = (context) => {
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

/** What the page says about the kind. */
export const phantomRunningText: KindText = {
  title: "Phantom-running",
  meaning: "All containers have ended, but the phase is still Running. The Job waits forever.",
};

export const phantomRunning: FindingRegistration<PhantomRunning> = {
  rule: { of: "anyJob", find },
  message: messageOf,
  evidence: ({ evidence }) => presentAll(evidence, describeShown),
  remedies: () => [
    "Look at the kubelet of the named nodes: it did not report the end of the containers.",
    "Delete the named Pods to have the work run again, once you know that it may.",
  ],
  headline: { place: "lost", clauses: (finding) => [phantomClause(finding)] },
  stuckPods: ({ proof, podCount }) => (proof === "none" ? 0 : podCount),
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

function messageOf(finding: PhantomRunning): string {
  const { podCount } = finding;
  const one = podCount === 1;
  const pods = listPods(finding, describePod);
  switch (finding.proof) {
    case "containersEnded":
      return (
        `${count(podCount, "Pod")} ${one ? "is" : "are"} phantom-running: all containers have ended, ` +
        `the phase is still Running ` +
        `(${pods}); what Kubernetes will make of ${one ? "it" : "them"} is unknown, not failed.`
      );
    case "none":
      return (
        `No change for ${durationText(finding.afterMillis)} or more of ${count(podCount, "Pod")} ` +
        `that ${one ? "runs" : "run"} ` +
        `(${pods}): phantom-running, or a program that takes long; no fact shows which.`
      );
  }
}

function describePod({ name, node, since }: PhantomPod): string {
  const at = since === undefined ? "" : ` since ${formatInstant(since)}`;
  return `${name}${node === undefined ? "" : ` on ${node}`}${at}`;
}

function describeShown(shows: PhantomRunningShows): string {
  switch (shows.what) {
    case "containerEnded":
      return `container ${shows.container} had ended with exit code ${shows.exitCode}`;
    case "lastRunning":
      return shows.containersRun
        ? "was last seen in phase Running, with its containers running"
        : "was last seen in phase Running, with no container running";
  }
}

function phantomClause(finding: PhantomRunning): Clause {
  const { podCount, pods = [] } = finding;
  const pod = count(podCount, "Pod");
  const names = namesText(pods, podCount);
  switch (finding.proof) {
    case "containersEnded": {
      const brief = `${pod} ${podCount === 1 ? "is" : "are"} phantom-running`;
      return { full: `${brief} (${names})`, brief, necessary: true };
    }
    case "none":
      return { full: `${pod} may be phantom-running: no change for ${durationText(finding.afterMillis)} (${names})` };
  }
}

/** The most Pods that a headline names. */
const MAX_NAMED = 2;

function namesText(pods: readonly PodRef[], podCount: number): string {
  const names = pods.map(({ name, node }) => (node === undefined ? name : `${name} on ${node}`));
  return list(names.slice(0, MAX_NAMED), MAX_NAMED, podCount);
}
