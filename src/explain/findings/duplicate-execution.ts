import {
  byRunCreation,
  containersEndedAt,
  lostRunOf,
  type Overlap,
  type Pair,
  pairsOfAll,
  type Run,
  runOf,
} from "../../job/evidence/duplicate-runs.ts";
import { MAX_NAMED_PODS, PodSample } from "../../job/evidence/pod-sample.ts";
import { WorkUnitOrders } from "../../job/evidence/work-unit-orders.ts";
import { workUnitOf } from "../../job/evidence/work-unit.ts";
import { type Evidence, podEvidence, type PodRef, podRef } from "../../job/model/evidence.ts";
import type { Instant } from "../../job/model/instant.ts";
import { firstEnd, outcomeOf } from "../../job/model/outcome.ts";
import { hasRun } from "../../job/model/pod-end.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { durationText } from "../../job/text/duration-text.ts";
import { count, list } from "../../job/text/sentence.ts";
import type { Clause } from "../headline/clause.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingContext, FindingOf, FindingSearch } from "./finding-search.ts";

export type DuplicateExecution = FindingOf<
  "DuplicateExecution",
  {
    /** At least one pair is certain; otherwise it is unknown whether any first run had done its work. */
    readonly certain: boolean;
    /** The number of pairs. */
    readonly times: number;
    /** The first pairs; at most {@link MAX_PAIRS}. */
    readonly pairs: readonly DuplicatePair[];
  },
  DuplicateExecutionShows
>;

/** Two runs of one work unit, the earlier first. */
export interface DuplicatePair {
  readonly first: PodRef;
  readonly second: PodRef;
  readonly overlap: Overlap;
  readonly secondSucceeded: boolean;
}
const CERTAIN: ReadonlySet<Overlap> = new Set(["atOnce", "afterSuccess"]);

export type DuplicateExecutionShows =
  | { readonly what: "started"; readonly node?: string }
  | { readonly what: "ended"; readonly phase: "Succeeded" | "Failed"; readonly ranMillis?: number }
  /** The phase became Failed, and the end of the containers was not observed. */
  | { readonly what: "failedUnobserved" }
  /** The container runtime lost a run, and the kubelet started the container again. */
  | { readonly what: "runLost"; readonly container: string };

/** The most pairs that the finding describes one by one. */
const MAX_PAIRS = 3;

/**
 * One work unit that two Pods ran: at the same time, again after it had succeeded, or again while the end of the first
 * run was unknown. It applies only if each Pod has one work unit: an index, or the Job's only completion. A failed run
 * and its retry are no duplicate.
 */
const find: Find<DuplicateExecution> = (context) => new DuplicateSearch(context);

/** What the page says about the kind. */
export const duplicateExecutionText: KindText = {
  title: "Duplicate execution",
  meaning: "The same work ran more than once.",
};

export const duplicateExecution: FindingRegistration<DuplicateExecution> = {
  rule: { of: "managedJob", find },
  message: messageOf,
  evidence: ({ evidence }) => presentAll(evidence, describeShown),
  remedies: ({ pairs }) => [
    "Make the work safe to run twice, or guard it with a lock: a Job may start the same program " +
      "twice, even with parallelism 1 and restartPolicy Never.",
    ...(pairs.every(({ overlap }) => overlap === "inPlace") ? [] : [REPLACEMENT_REMEDY]),
  ],
  headline: { place: "doubtful", clauses: (finding) => [duplicateClause(finding)] },
};

/**
 * The first pass counts the runs of each work unit, the second records those of repeated work units, and the third
 * fetches the Pods that the finding names.
 */
class DuplicateSearch implements FindingSearch<DuplicateExecution> {
  readonly #context: FindingContext;
  readonly #workUnits = new WorkUnitOrders();
  readonly #runs = new Map<number, Run[]>();
  readonly #namedPods = new Map<string, PodRecord>();
  #pairs: readonly Pair[] | undefined;
  #named: ReadonlySet<string> | undefined;
  readonly #inPlace = new PodSample();

  constructor(context: FindingContext) {
    this.#context = context;
  }

  visit(pod: PodRecord): void {
    const workUnit = this.#workUnitOfRun(pod);
    if (workUnit !== undefined) this.#workUnits.add(workUnit, pod.created);
    if (lostRunOf(pod) !== undefined) this.#inPlace.add(pod);
  }

  nextPass() {
    if (!this.#workUnits.hasRepeated || this.#named !== undefined) return undefined;
    if (this.#runs.size === 0) return (pod: PodRecord) => this.#record(pod);
    this.#pairs = pairsOfAll(this.#runs);
    this.#named = namedIn(this.#pairs);
    return this.#pairs.length === 0 ? undefined : (pod: PodRecord) => this.#fetch(pod);
  }

  found(): readonly DuplicateExecution[] {
    const pairs = this.#pairs ?? [];
    const finding = pairs.length === 0 ? undefined : findingOf(pairs, this.#namedPods);
    return this.#inPlace.count === 0 ? [finding].filter(isFound) : [withRunsInPlace(finding, this.#inPlace)];
  }

  #workUnitOfRun(pod: PodRecord): number | undefined {
    return hasRun(pod) ? workUnitOf(pod, this.#context) : undefined;
  }

  #record(pod: PodRecord): void {
    const workUnit = this.#workUnitOfRun(pod);
    if (workUnit === undefined || !this.#workUnits.isRepeated(workUnit)) return;
    const known = this.#runs.get(workUnit);
    const run = runOf(pod, this.#context);
    if (known === undefined) this.#runs.set(workUnit, [run]);
    else known.push(run);
  }

  #fetch(pod: PodRecord): void {
    if (this.#named?.has(pod.uid) === true) this.#namedPods.set(pod.uid, pod);
  }
}

/** The Pods that the finding names or has evidence of. */
function namedIn(pairs: readonly Pair[]): ReadonlySet<string> {
  const inEvidence = pairs.slice(0, MAX_NAMED_PODS).flatMap(({ first, second }) => [first, second]);
  return new Set([...inEvidence, ...runsOf(pairs).slice(0, MAX_NAMED_PODS)].map(({ uid }) => uid));
}

/** Each run once, by creation. */
function runsOf(pairs: readonly Pair[]): readonly Run[] {
  return [...new Set(pairs.flatMap(({ first, second }) => [first, second]))].sort(byRunCreation);
}

function findingOf(pairs: readonly Pair[], namedPods: ReadonlyMap<string, PodRecord>): DuplicateExecution {
  const runs = runsOf(pairs);
  const podOf = ({ uid }: Run): PodRecord => namedPods.get(uid) ?? { uid };
  return {
    kind: "DuplicateExecution",
    certain: pairs.some(({ overlap }) => CERTAIN.has(overlap)),
    times: pairs.length,
    pairs: pairs.slice(0, MAX_PAIRS).map(({ first, second, overlap }) => ({
      first: podRef(podOf(first)),
      second: podRef(podOf(second)),
      overlap,
      secondSucceeded: second.hasSucceeded,
    })),
    ...sinceSecond(pairs),
    pods: runs.slice(0, MAX_NAMED_PODS).map((run) => podRef(podOf(run))),
    podCount: runs.length,
    evidence: pairs
      .slice(0, MAX_NAMED_PODS)
      .flatMap(({ first, second }) => [...runEvidence(podOf(first)), ...runEvidence(podOf(second))]),
  };
}

function isFound(finding: DuplicateExecution | undefined): finding is DuplicateExecution {
  return finding !== undefined;
}

function withRunsInPlace(finding: DuplicateExecution | undefined, inPlace: PodSample): DuplicateExecution {
  const { pods } = inPlace.named;
  const pairs = inPlace.pods.map((pod) => ({
    first: podRef(pod),
    second: podRef(pod),
    overlap: "inPlace" as const,
    secondSucceeded: outcomeOf(pod) === "Succeeded",
  }));
  const evidence = inPlace.pods.flatMap(lostRunEvidence);
  const times = inPlace.count;
  if (finding === undefined) {
    const named = { pods, podCount: inPlace.count };
    return { kind: "DuplicateExecution", certain: false, times, pairs: pairs.slice(0, MAX_PAIRS), ...named, evidence };
  }
  return {
    ...finding,
    times: finding.times + times,
    pairs: [...finding.pairs, ...pairs].slice(0, MAX_PAIRS),
    evidence: [...finding.evidence, ...evidence],
  };
}

function lostRunEvidence(pod: PodRecord): readonly Evidence<DuplicateExecutionShows>[] {
  const end = lostRunOf(pod);
  return end === undefined ? [] : [podEvidence(pod, end, { shows: { what: "runLost", container: end.container } })];
}

function sinceSecond(pairs: readonly Pair[]): { readonly since?: Instant } {
  const since = pairs.reduce((first, { second }) => Math.min(first, second.start ?? first), Number.POSITIVE_INFINITY);
  return Number.isFinite(since) ? { since } : {};
}

function runEvidence(pod: PodRecord): readonly Evidence<DuplicateExecutionShows>[] {
  const { started, scheduled } = pod;
  const end = firstEnd(pod);
  const startShown: DuplicateExecutionShows = { what: "started", ...(scheduled && { node: scheduled.node }) };
  const start = started === undefined ? [] : [podEvidence(pod, started, { shows: startShown })];
  if (end === undefined) return start;
  const at = containersEndedAt(pod);
  const ranMillis = at === undefined || started?.startedAt === undefined ? undefined : at - started.startedAt;
  const endShown: DuplicateExecutionShows =
    at === undefined
      ? { what: "failedUnobserved" }
      : { what: "ended", phase: end.phase, ...(ranMillis !== undefined && { ranMillis }) };
  return [...start, podEvidence(pod, end, { shows: endShown, at })];
}

const REPLACEMENT_REMEDY =
  "Set podReplacementPolicy: Failed, so that a replacement waits until the Pod before it has ended.";

function messageOf({ certain, times, pairs }: DuplicateExecution): string {
  const repeated = times === 1 ? "" : ` (${count(times, "time")})`;
  const texts = pairs.map(describePair);
  return `The same work ${certain ? "ran" : "may have run"} twice${repeated}: ${list(texts, MAX_PAIRS, times)}.`;
}

function describePair({ first, second, overlap, secondSucceeded }: DuplicatePair): string {
  const [a, b] = [withNode(first), withNode(second)];
  switch (overlap) {
    case "atOnce":
      return `${b} started while ${a} was still running`;
    case "afterSuccess":
      return `${b} ran after ${a} had run to success${secondSucceeded ? ", and succeeded too" : ""}`;
    case "afterStop":
      return `${b} started, and ${a} had answered its deletion with exit code 0`;
    case "unknownEnd":
      return `${b} started, and how ${a} ended is unknown`;
    case "inPlace":
      return `${b} was started again in place, and how its run before ended is unknown`;
  }
}

function withNode({ name, node }: PodRef): string {
  return `${name}${node === undefined ? "" : ` (${node})`}`;
}

function describeShown(shows: DuplicateExecutionShows): string {
  switch (shows.what) {
    case "started":
      return `started to run${shows.node === undefined ? "" : ` on ${shows.node}`}`;
    case "ended": {
      const ran = shows.ranMillis === undefined ? "" : ` after ${durationText(shows.ranMillis)}`;
      return `${shows.phase === "Succeeded" ? "succeeded" : "failed"}${ran}`;
    }
    case "failedUnobserved":
      return "was reported Failed; no end of its containers was reported";
    case "runLost":
      return (
        `container ${shows.container} was lost by the container runtime (exit code 255, Unknown), ` +
        "and was started again in place"
      );
  }
}

function duplicateClause({ certain, times }: DuplicateExecution): Clause {
  const work = times === 1 ? "the same work" : `the same work, ${times} times,`;
  return { full: certain ? `${work} ran twice` : `${work} may have run twice` };
}
