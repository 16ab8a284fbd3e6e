import type { FactRef, Finding } from "../../explain/answer-document.ts";
import { byWhom } from "../../explain/attribution-text.ts";
import { durationText } from "../../text/duration-text.ts";
import { podFactRef } from "../model/fact-ref.ts";
import type { PodCreated, PodFact } from "../model/fact.ts";
import type { Find, FindingContext } from "./finding-search.ts";
import { formatInstant } from "../model/instant.ts";
import { lossOf, type LostSuccess, LostSuccesses } from "./lost-successes.ts";
import { compareOrder, type Order } from "../model/order.ts";
import { firstEnd } from "../model/outcome.ts";
import { attributePodDeletion } from "../attribution/pod-deletion.ts";
import { endedAt, startedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { byCreation, PodSample } from "./pod-sample.ts";
import { count, list } from "../../text/sentence.ts";
import { type CompletingSuccess, Successes } from "../accounting/successes.ts";

/**
 * Pods that were made after the Job was proven complete. Only a controller that counts the Pods that exist does that: it forgets each
 * success that is deleted, or called Failed, before it has counted it. The first look finds the success that completed the Job, the second
 * one what came after it.
 */
export const findReRunAfterSuccess: Find = (context) => {
  const { completions = 0 } = context.spec;
  const isConcerned = context.rules.tracking === "untracked" && completions > 0;
  const successes = new Successes();
  const made = new LatestCreation();
  let after: AfterSuccess | undefined;
  return {
    look(pod) {
      if (!isConcerned) return;
      made.add(pod);
      addSuccess(successes, pod, context);
    },
    again() {
      if (after !== undefined) return undefined;
      const completing = successes.completing(completions);
      if (completing === undefined || !made.isAfter(completing)) return undefined;
      const seen = new AfterSuccess(completing, context);
      after = seen;
      return (pod) => seen.look(pod);
    },
    found: () => after?.found() ?? [],
  };
};

/** Of an index only the first success counts, and none of an index that the Job does not have. */
function addSuccess(successes: Successes, pod: PodRecord, { rules }: FindingContext): void {
  const end = firstEnd(pod);
  if (end?.phase !== "Succeeded") return;
  const index = pod.created?.index;
  if (rules.completions === undefined) successes.add(end, endedAt(pod) ?? end.at, undefined);
  else if (index !== undefined && index < rules.completions) successes.add(end, endedAt(pod) ?? end.at, index);
}

/** Whether any Pod may have been made after a success, without holding a Pod. */
class LatestCreation {
  #order: Order | undefined;
  #at = 0;

  add({ created }: PodRecord): void {
    if (created === undefined) return;
    if (this.#order === undefined || compareOrder(created, this.#order) > 0) this.#order = created;
    this.#at = Math.max(this.#at, created.createdAt);
  }

  isAfter({ order, at }: CompletingSuccess): boolean {
    return this.#at > at || (this.#at === at && this.#order !== undefined && compareOrder(this.#order, order) > 0);
  }
}

/**
 * Created after the success: in a later second than it ended in, though the success was heard of even later (its node had gone silent); in that
 * very second where it was seen later. A Pod created before that and first seen later was hidden by a gap.
 */
function isMadeAfter({ created }: PodRecord, { order, at }: CompletingSuccess): boolean {
  if (created === undefined || created.createdAt < at) return false;
  return created.createdAt > at || compareOrder(created, order) > 0;
}

/** What came after the Job was complete: exact counts, and the first few by name. */
class AfterSuccess {
  readonly #completing: CompletingSuccess;
  readonly #context: FindingContext;
  readonly #reRuns = new PodSample();
  readonly #losses = new LostSuccesses();
  #proof: PodRecord | undefined;
  #lastReRun: PodCreated | undefined;
  #ran = 0;

  constructor(completing: CompletingSuccess, context: FindingContext) {
    this.#completing = completing;
    this.#context = context;
  }

  look(pod: PodRecord): void {
    this.#lookForProof(pod);
    this.#lookForLoss(pod);
    const { created } = pod;
    if (created === undefined || !isMadeAfter(pod, this.#completing)) return;
    this.#reRuns.add(pod);
    this.#ran += runOf(pod);
    if (this.#lastReRun === undefined || compareOrder(created, this.#lastReRun) > 0) this.#lastReRun = created;
  }

  found(): readonly Finding[] {
    const last = this.#lastReRun;
    if (last === undefined) return [];
    const count = this.#reRuns.count;
    const { by, first } = this.#losses.before(last);
    const message = `${countText(count, this.#ran)}, ${causeText(by, count)}.`;
    const events = [...first.map(lossEvent), ...this.#reRuns.pods.flatMap(reRunEvents)];
    const evidence = [...this.#proofRefs(), ...events.sort(byOrder).map(({ ref }) => ref)];
    const since = formatInstant(this.#completing.at);
    return [{ kind: "ReRunAfterSuccess", message, since, ...this.#reRuns.named, evidence }];
  }

  #lookForProof(pod: PodRecord): void {
    const end = firstEnd(pod);
    if (end?.phase !== "Succeeded" || compareOrder(end, this.#completing.order) !== 0) return;
    if (this.#proof === undefined || byCreation(pod, this.#proof) < 0) this.#proof = pod;
  }

  #lookForLoss(pod: PodRecord): void {
    const fact = lossOf(pod);
    if (fact === undefined) return;
    if (fact.kind === "PodTerminated") return this.#losses.add({ pod, fact });
    const { job, clusterContext } = this.#context;
    const by = attributePodDeletion(pod, job, clusterContext);
    this.#losses.add({ pod, fact, by: by ?? NOBODY_KNOWN });
  }

  #proofRefs(): readonly FactRef[] {
    const pod = this.#proof;
    const success = pod === undefined ? undefined : firstEnd(pod);
    if (pod === undefined || success === undefined) return [];
    return [podFactRef(pod, success, proofText(this.#context.spec.completions ?? 1), this.#completing.at)];
  }
}

const NOBODY_KNOWN = { actor: "unknown", confidence: "possible" } as const;

function proofText(successes: number): string {
  return successes === 1
    ? "succeeded: the Job was complete"
    : `succeeded: it was success number ${successes}, and the Job was complete`;
}

function countText(reRuns: number, ran: number): string {
  return `${count(reRuns, "needless re-run")} (${durationText(ran)} of running)`;
}

/** Why there were re-runs: who took the successes away, as sure as that is. */
function causeText(by: readonly LostSuccess["by"][], reRuns: number): string {
  const times = new Map<string, number>();
  for (const one of by) {
    const whom = one === undefined ? "" : byWhom(one);
    times.set(whom, (times.get(whom) ?? 0) + 1);
  }
  const [only] = [...times.keys()];
  if (times.size === 1 && only !== undefined && only !== "" && by.length === reRuns) {
    return `each Pod deleted ${only} after it had succeeded`;
  }
  const parts = [...times].map(([whom, number]) =>
    whom === ""
      ? `${count(number, "success")} called Failed later`
      : `${count(number, "succeeded Pod")} deleted ${whom}`,
  );
  return parts.length === 0 ? "though nothing shows that a success was lost" : `after ${list(parts)}`;
}

/** A piece of evidence with its place among the Pods' facts. */
interface Event {
  readonly fact: PodFact;
  readonly ref: FactRef;
}

function byOrder(a: Event, b: Event): number {
  return compareOrder(a.fact, b.fact);
}

function lossEvent({ pod, fact, by }: LostSuccess): Event {
  const detail =
    by === undefined ? "was called Failed after it had succeeded" : `was deleted ${byWhom(by)} after it had succeeded`;
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
