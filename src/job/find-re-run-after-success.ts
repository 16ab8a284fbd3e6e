import type { Attribution, FactRef, Finding } from "./answer.ts";
import { durationText } from "./duration-text.ts";
import { podFactRef } from "./fact-ref.ts";
import type { PodDeleted, PodDeletionRequested, PodFact, PodTerminated } from "./fact.ts";
import type { Find, FindingContext } from "./finding-search.ts";
import { formatInstant, type Instant } from "./instant.ts";
import { compareOrder } from "./order.ts";
import { firstEnd } from "./outcome.ts";
import { attributePodDeletion } from "./pod-deletion.ts";
import { endedAt, startedAt } from "./pod-end.ts";
import type { PodRecord } from "./pod-record.ts";
import { byCreation, MAX_NAMED_PODS, PodSample } from "./pod-sample.ts";
import { count, list } from "./sentence.ts";

/**
 * Pods that were made after the Job was proven complete. Only a controller that counts the Pods that exist does that: it forgets each
 * success that is deleted, or called Failed, before it has counted it. Holds every Pod of such a Job until it is asked.
 */
export const findReRunAfterSuccess: Find = (context) => {
  const pods: PodRecord[] = [];
  return {
    look(pod) {
      if (context.rules.tracking === "untracked") pods.push(pod);
    },
    found() {
      const proof = proofOf(pods, context);
      if (proof === undefined) return [];
      const reRuns = pods.filter((pod) => isMadeAfter(pod, proof)).sort(byCreation);
      return reRuns.length === 0 ? [] : [finding(proof, reRuns, lossesBefore(reRuns, pods), context)];
    },
  };
};

/** The success that completed the Job. */
interface Proof {
  readonly pod: PodRecord;
  readonly success: PodTerminated;
  readonly at: Instant;
  /** How many successes it took. */
  readonly successes: number;
}

/** The Pods that succeeded, in the order of their successes, until `completions` are reached; of an index only the first counts. */
function proofOf(pods: readonly PodRecord[], { spec, rules }: FindingContext): Proof | undefined {
  const { completions } = spec;
  if (completions === undefined || completions === 0) return undefined;
  const successes = pods.flatMap((pod) => {
    const end = firstEnd(pod);
    return end?.phase === "Succeeded" ? [{ pod, success: end }] : [];
  });
  const done = new Set<number | string>();
  for (const { pod, success } of successes.sort((a, b) => compareOrder(a.success, b.success))) {
    const index = pod.created?.index;
    if (rules.completions === undefined) done.add(pod.uid);
    else if (index !== undefined && index < completions) done.add(index);
    if (done.size === completions) return { pod, success, at: endedAt(pod) ?? success.at, successes: completions };
  }
  return undefined;
}

/** Seen first, and created, after the proof. The second is asked as well for Pods that a gap hid at first. */
function isMadeAfter({ created }: PodRecord, { success, at }: Proof): boolean {
  return created !== undefined && compareOrder(created, success) > 0 && created.createdAt >= at;
}

/** A success that the controller could not see any more. */
interface Loss {
  readonly pod: PodRecord;
  readonly fact: PodDeletionRequested | PodDeleted | PodTerminated;
  /** Who deleted it, with "(likely)" where nobody said so; none where it was called Failed. */
  readonly actor?: string;
}

/** The successes that were gone before the last re-run was made: each is why there was another. */
function lossesBefore(reRuns: readonly PodRecord[], pods: readonly PodRecord[]): readonly Omit<Loss, "actor">[] {
  const last = reRuns.at(-1)?.created;
  return pods
    .flatMap((pod) => {
      if (firstEnd(pod)?.phase !== "Succeeded") return [];
      const fact = pod.failed ?? pod.deletionRequested ?? pod.deleted;
      return fact === undefined || last === undefined || compareOrder(fact, last) > 0 ? [] : [{ pod, fact }];
    })
    .sort((a, b) => compareOrder(a.fact, b.fact));
}

function finding(
  proof: Proof,
  reRuns: readonly PodRecord[],
  lost: readonly Omit<Loss, "actor">[],
  { job, surroundings }: FindingContext,
): Finding {
  const losses: readonly Loss[] = lost.map(({ pod, fact }) => {
    if (fact.kind === "PodTerminated") return { pod, fact };
    return { pod, fact, actor: actorText(attributePodDeletion(pod, job, surroundings)) };
  });
  const ran = reRuns.reduce((sum, pod) => sum + runOf(pod), 0);
  const sample = new PodSample();
  for (const pod of reRuns) sample.add(pod);
  const message = `${count(reRuns.length, "needless re-run")} (${durationText(ran)} of running), ${causeText(losses, reRuns.length)}.`;
  const events = [
    ...losses.slice(0, MAX_NAMED_PODS).map(lossEvent),
    ...reRuns.slice(0, MAX_NAMED_PODS).flatMap(reRunEvents),
  ];
  const evidence = [
    podFactRef(proof.pod, proof.success, proofText(proof), proof.at),
    ...events.sort((a, b) => compareOrder(a.fact, b.fact)).map(({ ref }) => ref),
  ];
  return { kind: "ReRunAfterSuccess", message, since: formatInstant(proof.at), ...sample.named, evidence };
}

function proofText({ successes }: Proof): string {
  return successes === 1
    ? "succeeded: the Job was complete"
    : `succeeded: it was success number ${successes}, and the Job was complete`;
}

function causeText(losses: readonly Loss[], reRuns: number): string {
  const byActor = new Map<string, number>();
  for (const { actor = "" } of losses) byActor.set(actor, (byActor.get(actor) ?? 0) + 1);
  const [only] = [...byActor.keys()];
  if (byActor.size === 1 && only !== undefined && only !== "" && losses.length === reRuns) {
    return `each Pod deleted by ${only} after it had succeeded`;
  }
  const parts = [...byActor].map(([actor, number]) =>
    actor === ""
      ? `${count(number, "success")} called Failed later`
      : `${count(number, "succeeded Pod")} deleted by ${actor}`,
  );
  return parts.length === 0 ? "though nothing shows that a success was lost" : `after ${list(parts)}`;
}

function actorText(by: Attribution | undefined): string {
  if (by === undefined || by.actor === "unknown") return "somebody";
  return by.confidence === "certain" ? by.actor : `${by.actor} (${by.confidence})`;
}

/** A piece of evidence with its place among the Pods' facts. */
interface Event {
  readonly fact: PodFact;
  readonly ref: FactRef;
}

function lossEvent({ pod, fact, actor }: Loss): Event {
  const detail =
    actor === undefined ? "was called Failed after it had succeeded" : `was deleted by ${actor} after it had succeeded`;
  return { fact, ref: podFactRef(pod, fact, detail) };
}

function reRunEvents(pod: PodRecord): readonly Event[] {
  const { created } = pod;
  if (created === undefined) return [];
  const end = firstEnd(pod);
  const came =
    end === undefined
      ? ""
      : `, and ${end.phase === "Succeeded" ? "succeeded" : "failed"} after ${durationText(runOf(pod))}`;
  return [{ fact: created, ref: podFactRef(pod, created, `was created though the Job was complete${came}`) }];
}

/** How long its program ran, as far as is known. */
function runOf(pod: PodRecord): number {
  const [start, end] = [startedAt(pod), endedAt(pod)];
  return start === undefined || end === undefined ? 0 : Math.max(0, end - start);
}
