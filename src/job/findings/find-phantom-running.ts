import type { FactRef, Finding } from "../../explain/answer-document.ts";
import { durationText } from "../../text/duration-text.ts";
import { podFactRef, podName } from "../model/fact-ref.ts";
import type { Find, FindingContext } from "./finding-search.ts";
import { formatInstant, type Instant } from "../model/instant.ts";
import { type Hold, holdOf, unchangedSince } from "./pod-hold.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { PodSample } from "./pod-sample.ts";
import { count } from "../../text/sentence.ts";

/**
 * Pods whose containers have all ended and whose phase is still Running: the Job controller waits for a status the kubelet never wrote. And, where it is
 * asked for, Pods that run without a change for so long that they may be such: that is no proof, and so a finding of its own.
 */
export const findPhantomRunning: Find = (context) => {
  const phantoms = new PodSample();
  const suspects = new PodSample();
  const { spec, clusterContext, now } = context;
  return {
    look(pod) {
      const hold = holdOf(pod, spec.restartPolicy, clusterContext, now);
      if (hold?.hold === "containersEnded") phantoms.add(pod);
      else if (hold === undefined && isSuspected(pod, context)) suspects.add(pod);
    },
    found: () => [
      ...(phantoms.count > 0 ? [proven(phantoms, context)] : []),
      ...(suspects.count > 0 ? [suspected(suspects, context)] : []),
    ],
  };
};

type Ended = Extract<Hold, { hold: "containersEnded" }>;

function proven(phantoms: PodSample, { spec, clusterContext, now }: FindingContext): Finding {
  const endOf = (pod: PodRecord): Ended | undefined => {
    const hold = holdOf(pod, spec.restartPolicy, clusterContext, now);
    return hold?.hold === "containersEnded" ? hold : undefined;
  };
  const one = phantoms.count === 1;
  const message =
    `${count(phantoms.count, "Pod")} ${one ? "is" : "are"} phantom-running: all containers have ended, the phase is still Running ` +
    `(${phantoms.list((pod) => nameOf(pod, endOf(pod)?.since))}); what Kubernetes will make of ${one ? "it" : "them"} is unknown, not failed.`;
  return {
    kind: "PhantomRunning",
    message,
    ...phantoms.since((pod) => endOf(pod)?.since),
    ...phantoms.named,
    evidence: phantoms.pods.flatMap((pod) => refs(pod, endOf(pod))),
  };
}

function refs(pod: PodRecord, hold: Ended | undefined): readonly FactRef[] {
  if (hold === undefined) return [];
  const { container, exitCode } = hold.end;
  const ended = podFactRef(pod, hold.end, `container ${container} had ended with exit code ${exitCode}`);
  return [ended, ...sightOf(pod, "was last seen in phase Running, with no container running")];
}

function sightOf(pod: PodRecord, detail: string): readonly FactRef[] {
  return pod.observed === undefined ? [] : [podFactRef(pod, pod.observed, detail)];
}

function isSuspected(pod: PodRecord, { phantomAfter, now }: FindingContext): boolean {
  const since = phantomAfter === undefined ? undefined : unchangedSince(pod);
  return since !== undefined && phantomAfter !== undefined && now - since >= phantomAfter;
}

/** How a finding of suspects begins: they are told apart from those that are proven. */
export const SUSPECTED = "No change for ";

function suspected(suspects: PodSample, { phantomAfter = 0 }: FindingContext): Finding {
  const one = suspects.count === 1;
  const message =
    `${SUSPECTED}${durationText(phantomAfter)} or more of ${count(suspects.count, "Pod")} that ${one ? "runs" : "run"} ` +
    `(${suspects.list((pod) => nameOf(pod, unchangedSince(pod)))}): phantom-running, or a program that takes long; nothing tells which.`;
  return {
    kind: "PhantomRunning",
    message,
    ...suspects.since(unchangedSince),
    ...suspects.named,
    evidence: suspects.pods.flatMap((pod) =>
      sightOf(pod, "was last seen in phase Running, with its containers running"),
    ),
  };
}

function nameOf(pod: PodRecord, at: Instant | undefined): string {
  const since = at === undefined ? "" : ` since ${formatInstant(at)}`;
  return `${podName(pod)}${pod.scheduled === undefined ? "" : ` on ${pod.scheduled.node}`}${since}`;
}
