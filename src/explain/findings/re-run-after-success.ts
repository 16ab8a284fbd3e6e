import { type CompletingSuccess, Successes } from "../../job/accounting/successes.ts";
import { attributePodDeletion } from "../../job/attribution/pod-deletion.ts";
import { type Deleter, lossOf, type LostSuccess, LostSuccesses } from "../../job/evidence/lost-successes.ts";
import { byCreation, PodSample } from "../../job/evidence/pod-sample.ts";
import { type Evidence, podEvidence } from "../../job/model/evidence.ts";
import type { PodCreated, PodFact } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import { compareOrder, type Order } from "../../job/model/order.ts";
import { firstEnd } from "../../job/model/outcome.ts";
import { endedAt, isOwnSuccess, startedAt } from "../../job/model/pod-end.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { durationText } from "../../job/text/duration-text.ts";
import { count, list } from "../../job/text/sentence.ts";
import { byWhom } from "../attribution-text.ts";
import type { Clause } from "../headline/clause.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";

export type ReRunAfterSuccess = FindingOf<
  "ReRunAfterSuccess",
  {
    /** When the Job was complete. */
    readonly since: Instant;
    readonly podCount: number;
    readonly completions: number;
    /**
     * The program succeeded only when it was asked to stop: it may not have done its work, and the controller may have
     * replaced the Pod for its deletion.
     */
    readonly answeredDeletion: boolean;
    /** The running time of the re-runs, in milliseconds. */
    readonly ranMillis: number;
    /** How successes were lost before the last re-run, each way once, in the order of its first occurrence. */
    readonly losses: readonly LossCount[];
  },
  ReRunAfterSuccessShows
>;
export interface LossCount {
  readonly times: number;
  /** Absent: the Pods became Failed. */
  readonly by?: Deleter;
}
export type ReRunAfterSuccessShows =
  | { readonly what: "completed"; readonly successes: number }
  | { readonly what: "deleted"; readonly by: Deleter }
  | { readonly what: "failedAfterSuccess" }
  | {
      readonly what: "created";
      readonly end?: { readonly phase: "Succeeded" | "Failed"; readonly ranMillis: number };
    };

/**
 * Pods that were created after the Job was proven complete. Only a controller that counts existing Pods creates them:
 * it forgets each success that is deleted, or becomes Failed, before it is counted. The first pass finds the success
 * that completed the Job, the second one what came after it.
 */
const find: Find<ReRunAfterSuccess> = (context) => {
  const { completions = 0 } = context.spec;
  const applies = context.rules.tracking === "untracked" && completions > 0;
  const successes = new Successes();
  const latest = new LatestCreation();
  let after: AfterSuccess | undefined;
  return {
    visit(pod) {
      if (!applies) return;
      latest.add(pod);
      addSuccess(successes, pod, context);
    },
    nextPass() {
      if (after !== undefined) return undefined;
      const completing = successes.completing(completions);
      if (completing === undefined || !latest.isAfter(completing)) return undefined;
      const search = new AfterSuccess(completing, context);
      after = search;
      return (pod) => search.visit(pod);
    },
    found: () => after?.found() ?? [],
  };
};

/** What the page says about the kind. */
export const reRunAfterSuccessText: KindText = {
  title: "Re-run after success",
  meaning: "Pods were deleted before they were counted, so the finished work ran again.",
};

export const reRunAfterSuccess: FindingRegistration<ReRunAfterSuccess> = {
  rule: { of: "managedJob", find },
  message: messageOf,
  evidence: ({ evidence }) => presentAll(evidence, describeShown),
  remedies: (finding) => [
    ...(isByPodGc(finding) ? POD_GC_REMEDIES : []),
    "Use Kubernetes 1.26 or later: with finalizer tracking a Pod stays until it is counted.",
  ],
  headline: {
    place: "lost",
    clauses: (finding) => (finding.answeredDeletion ? [] : [reRunClause(finding)]),
  },
};

/** Adds a Pod that succeeded. Ignores indexes out of range. Of each index, only the first success counts. */
function addSuccess(successes: Successes, pod: PodRecord, { rules }: FindingContext): void {
  const end = firstEnd(pod);
  if (end?.phase !== "Succeeded") return;
  const index = pod.created?.index;
  if (rules.completions === undefined) successes.add(end, endedAt(pod) ?? end.at, undefined);
  else if (index !== undefined && index < rules.completions) successes.add(end, endedAt(pod) ?? end.at, index);
}

/** Tells whether any Pod may have been created after a success, without keeping a Pod. */
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
 * Whether the Pod was created after the success: in a later second than the success ended in, or in the same second
 * with a higher order. A success of a silent node is observed late. A Pod that a gap hid is observed late but was
 * created before.
 */
function isCreatedAfter({ created }: PodRecord, { order, at }: CompletingSuccess): boolean {
  if (created === undefined || created.createdAt < at) return false;
  return created.createdAt > at || compareOrder(created, order) > 0;
}

type Shown = Evidence<ReRunAfterSuccessShows>;

/** The Pods created after the Job was complete: exact counts, and the first Pods by name. */
class AfterSuccess {
  readonly #completing: CompletingSuccess;
  readonly #context: FindingContext;
  readonly #reRuns = new PodSample();
  readonly #losses = new LostSuccesses();
  #proof: PodRecord | undefined;
  #lastReRun: PodCreated | undefined;
  #ranMillis = 0;

  constructor(completing: CompletingSuccess, context: FindingContext) {
    this.#completing = completing;
    this.#context = context;
  }

  visit(pod: PodRecord): void {
    this.#addProof(pod);
    this.#addLoss(pod);
    const { created } = pod;
    if (created === undefined || !isCreatedAfter(pod, this.#completing)) return;
    this.#reRuns.add(pod);
    this.#ranMillis += ranMillisOf(pod);
    if (this.#lastReRun === undefined || compareOrder(created, this.#lastReRun) > 0) this.#lastReRun = created;
  }

  found(): readonly ReRunAfterSuccess[] {
    const last = this.#lastReRun;
    if (last === undefined) return [];
    const { by, first } = this.#losses.before(last);
    const answeredDeletion = this.#proof !== undefined && !isOwnSuccess(this.#proof);
    const reRuns = answeredDeletion ? [] : this.#reRuns.pods.flatMap(reRunEvents);
    const events = [...first.map(lossEvent), ...reRuns].sort(byOrder);
    return [
      {
        kind: "ReRunAfterSuccess",
        since: this.#completing.at,
        completions: this.#context.spec.completions ?? 1,
        answeredDeletion,
        ranMillis: this.#ranMillis,
        losses: countLosses(by),
        ...this.#reRuns.named,
        evidence: [...this.#proofEvidence(), ...events.map(({ evidence }) => evidence)],
      },
    ];
  }

  #addProof(pod: PodRecord): void {
    const end = firstEnd(pod);
    if (end?.phase !== "Succeeded" || compareOrder(end, this.#completing.order) !== 0) return;
    if (this.#proof === undefined || byCreation(pod, this.#proof) < 0) this.#proof = pod;
  }

  #addLoss(pod: PodRecord): void {
    const fact = lossOf(pod);
    if (fact === undefined) return;
    if (fact.kind === "PodTerminated") return this.#losses.add({ pod, fact });
    const { job, clusterContext } = this.#context;
    const by = attributePodDeletion(pod, job, clusterContext);
    this.#losses.add({ pod, fact, by: by ?? UNKNOWN_DELETER });
  }

  #proofEvidence(): readonly Shown[] {
    const pod = this.#proof;
    const success = pod === undefined ? undefined : firstEnd(pod);
    if (pod === undefined || success === undefined) return [];
    const shows = { what: "completed", successes: this.#context.spec.completions ?? 1 } as const;
    return [podEvidence(pod, success, { shows, at: this.#completing.at })];
  }
}

const UNKNOWN_DELETER = { actor: "unknown", confidence: "possible" } as const;

function countLosses(losses: readonly LostSuccess["by"][]): readonly LossCount[] {
  const counts = new Map<string, LossCount>();
  for (const by of losses) {
    const key = by === undefined ? "" : `${by.actor}/${by.confidence}`;
    const times = (counts.get(key)?.times ?? 0) + 1;
    counts.set(key, by === undefined ? { times } : { times, by: { actor: by.actor, confidence: by.confidence } });
  }
  return [...counts.values()];
}

/** Evidence with its place in the order of the Pods' facts. */
interface Event {
  readonly fact: PodFact;
  readonly evidence: Shown;
}

function byOrder(a: Event, b: Event): number {
  return compareOrder(a.fact, b.fact);
}

function lossEvent({ pod, fact, by }: LostSuccess): Event {
  const shows: ReRunAfterSuccessShows =
    by === undefined
      ? { what: "failedAfterSuccess" }
      : { what: "deleted", by: { actor: by.actor, confidence: by.confidence } };
  return { fact, evidence: podEvidence(pod, fact, { shows }) };
}

function reRunEvents(pod: PodRecord): readonly Event[] {
  const { created } = pod;
  if (created === undefined) return [];
  const end = firstEnd(pod);
  const shows: ReRunAfterSuccessShows = {
    what: "created",
    ...(end !== undefined && { end: { phase: end.phase, ranMillis: ranMillisOf(pod) } }),
  };
  return [{ fact: created, evidence: podEvidence(pod, created, { shows }) }];
}

/** How long its program ran, as far as is known. */
function ranMillisOf(pod: PodRecord): number {
  const [start, end] = [startedAt(pod), endedAt(pod)];
  return start === undefined || end === undefined ? 0 : Math.max(0, end - start);
}

const POD_GC_REMEDIES = [
  "Raise --terminated-pod-gc-threshold of kube-controller-manager (its default is 12500; providers may set it lower).",
  "Keep fewer ended Pods around: set ttlSecondsAfterFinished, delete finished Jobs, run fewer Jobs at once.",
];

function isByPodGc({ losses }: ReRunAfterSuccess): boolean {
  return losses.some(({ by }) => by?.actor === "pod-garbage-collector");
}

function messageOf({ podCount, ranMillis, losses, answeredDeletion }: ReRunAfterSuccess): string {
  if (answeredDeletion) {
    const ran = `${count(podCount, "Pod")} ran for ${durationText(ranMillis)}`;
    return `${ran} in place of a deleted Pod, which had answered its deletion with exit code 0.`;
  }
  const reRuns = count(podCount, "needless re-run");
  return `${reRuns} (${durationText(ranMillis)} of running), ${lossText(losses, podCount)}.`;
}

/** Why there were re-runs: who deleted the successful Pods, and how certain that is. */
function lossText(losses: readonly LossCount[], reRuns: number): string {
  const [first, ...others] = losses;
  if (first === undefined) return "though nothing shows that a success was lost";
  if (others.length === 0 && first.by !== undefined && first.times === reRuns) {
    return `${reRuns === 1 ? "the Pod before it" : "each Pod"} deleted ${byWhom(first.by)} after it had succeeded`;
  }
  const parts = losses.map(({ by, times }) =>
    by === undefined
      ? `${count(times, "success")} reported Failed later`
      : `${count(times, "succeeded Pod")} deleted ${byWhom(by)}`,
  );
  return `after ${list(parts)}`;
}

function describeShown(shows: ReRunAfterSuccessShows): string {
  switch (shows.what) {
    case "completed":
      return shows.successes === 1
        ? "succeeded: the Job was complete"
        : `succeeded: it was success number ${shows.successes}, and the Job was complete`;
    case "deleted":
      return `was deleted ${byWhom(shows.by)} after it had succeeded`;
    case "failedAfterSuccess":
      return "was reported Failed after it had succeeded";
    case "created": {
      const { end } = shows;
      const word = end?.phase === "Succeeded" ? "succeeded" : "failed";
      const ended = end === undefined ? "" : `, and ${word} after ${durationText(end.ranMillis)}`;
      return `was created though the Job was complete${ended}`;
    }
  }
}

function reRunClause({ podCount, losses }: ReRunAfterSuccess): Clause {
  const reRuns = count(podCount, "needless re-run");
  const deleter = onlyDeleter(losses);
  const which = podCount === 1 ? "the Pod before it" : "each Pod";
  const deleted = deleter === undefined ? "" : `, ${which} deleted ${byWhom(deleter)} after it had succeeded`;
  const full = `${reRuns}${deleted}`;
  return { full, brief: reRuns };
}

function onlyDeleter([loss, ...others]: readonly LossCount[]): LossCount["by"] {
  return others.length === 0 ? loss?.by : undefined;
}
