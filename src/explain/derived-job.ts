import { type CountingRules, countingRulesOf } from "../job/accounting/counting-rules.ts";
import type { PodTally } from "../job/accounting/pod-tally.ts";
import { tallyPods } from "../job/accounting/tally.ts";
import { wasTracked } from "../job/accounting/tracking.ts";
import type { Attribution } from "../job/attribution/attribution.ts";
import { attributeJobDeletion } from "../job/attribution/job-deletion.ts";
import type { Cause } from "../job/cause/cause.ts";
import { CauseSearch } from "../job/cause/cause-search.ts";
import { type StoppedPods, StoppedPodsSearch } from "../job/cause/stopped-pods.ts";
import type { Waiting } from "../job/cause/waiting-cause.ts";
import { WaitingSearch } from "../job/cause/waiting-search.ts";
import type { ClusterContext } from "../job/model/cluster-context.ts";
import { currentSpec } from "../job/model/current-spec.ts";
import type { Instant } from "../job/model/instant.ts";
import type { JobObject, JobRecord } from "../job/model/job-record.ts";
import type { JobSpec } from "../job/model/job-spec.ts";
import { ownPods } from "../job/model/own-pod.ts";
import type { PodRecord } from "../job/model/pod-record.ts";
import { type UnseenJob, unseenJob } from "../job/model/unseen-job.ts";
import { type Completeness, completenessOf, staleSince } from "../job/status/completeness.ts";
import { type Verdict, verdictOf } from "../job/status/job-verdict.ts";
import { isStale } from "../job/status/silence.ts";
import { type DerivedStatus, statusOf } from "../job/status/status.ts";
import { sumOfUsage, ungrouped, type Usage } from "../job/usage/usage.ts";
import { UsageSearch } from "../job/usage/usage-search.ts";
import { findInExpectation, findInWaiting, searchFindings, searchJobFindings } from "./findings/find-findings.ts";
import type { FindingSearch, Visit } from "./findings/finding-search.ts";
import { type Finding, FINDINGS } from "./findings/findings.ts";
import { expectationOfJob } from "./expectation/job-expectation.ts";
import type { Expectation } from "../parents/series/expectation.ts";
import type { PastRuns } from "../parents/series/past-run.ts";

/** Everything that follows from the facts about one Job, derived once. Every surface presents its answer from it. */
export interface DerivedJob {
  readonly job: JobObject;
  /** The current spec; the API server's defaults if no spec was observed. */
  readonly spec: JobSpec;
  readonly tally: PodTally;
  readonly status: DerivedStatus;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** Why it failed, or what its success cost. Unset for a large Job whose Pods were not read. */
  readonly cause?: Cause;
  /** Why it is not running. Unset for a large Job whose Pods were not read. */
  readonly waiting?: Waiting;
  /** Pods that were stopped and did not fail. Unset if there are none. */
  readonly stopped?: StoppedPods;
  /** What its Pods reserved. Unset for lists, if its Pods were not read, and if a Pod does not say it. */
  readonly usage?: Usage;
  /** How long it will take. Unset once it has ended, and without known runs of its series. */
  readonly expectation?: Expectation;
  readonly completeness: Completeness;
  readonly deletedBy?: Attribution;
  /** What the Pods prove about a Job whose object was not observed. */
  readonly unseen?: UnseenJob;
  readonly clusterContext: ClusterContext;
  /** The instant of the derivation: the latest heartbeat of the cluster. */
  readonly now: Instant;
}

/** The input of a derivation. It contains the tally of all Pods; the Pods themselves are visited one by one. */
export interface KnownJob {
  readonly job: JobObject;
  /** How the Job's Pods are counted. */
  readonly rules: CountingRules;
  /** The tally of all Pods of the Job, by `rules`. */
  readonly tally: PodTally;
  readonly clusterContext: ClusterContext;
  /** The instant of the derivation: the latest heartbeat of the cluster. */
  readonly now: Instant;
  /** When the query was made. If the cluster has been silent since `now`, a Job that is not final is stale. */
  readonly queriedAt?: Instant | undefined;
  /**
   * Milliseconds without a change after which a running Pod is reported as possibly phantom-running; unset means never.
   */
  readonly phantomAfter?: number | undefined;
  readonly unseen?: UnseenJob | undefined;
  /** The successful runs of the Job's series, if it has one. */
  readonly pastRuns?: PastRuns | undefined;
  /** Whether the answer is for lists: their rows derive what Pods reserved, once the Job is over. @default false */
  readonly isListed?: boolean;
}

/**
 * Derives a Job whose Pods are visited page by page: visit each Pod once, then run the further passes over all Pods,
 * then read the result.
 */
export class JobDerivation {
  readonly #known: KnownJob;
  readonly #spec: JobSpec;
  readonly #status: DerivedStatus;
  readonly #findings: FindingSearch<Finding>;
  readonly #cause: CauseSearch;
  readonly #waiting: WaitingSearch;
  readonly #stopped: StoppedPodsSearch;
  readonly #usage: UsageSearch | undefined;

  constructor(known: KnownJob) {
    this.#known = known;
    this.#spec = specOf(known.job);
    this.#status = deriveStatus(known);
    const { job, rules, clusterContext, now, phantomAfter } = known;
    const { status } = this.#status;
    this.#cause = new CauseSearch({ job, clusterContext, rules });
    this.#waiting = new WaitingSearch({ job, spec: this.#spec, clusterContext, now });
    this.#stopped = new StoppedPodsSearch({ job, clusterContext });
    this.#usage =
      known.isListed === true ? undefined : new UsageSearch({ job, clusterContext, rules, spec: this.#spec, now });
    this.#findings = searchFindings({
      job,
      spec: this.#spec,
      rules,
      status,
      clusterContext,
      now,
      ...(phantomAfter !== undefined && { phantomAfter }),
    });
  }

  visit(pod: PodRecord): void {
    this.#findings.visit(pod);
    this.#cause.visit(pod);
    this.#waiting.visit(pod);
    this.#stopped.visit(pod);
    this.#usage?.visit(pod);
  }

  /** The visitor of the next pass over all Pods; `undefined` if no pass is left. */
  nextPass(): Visit | undefined {
    return this.#findings.nextPass?.() ?? this.#usage?.nextPass();
  }

  derived(): DerivedJob {
    const cause = this.#cause.found(this.#stopped.counted());
    const waiting = this.#waiting.found();
    const stopped = this.#stopped.found();
    const usage = ungrouped(this.#usage?.found());
    const findings = [...this.#findings.found(), ...findInWaiting(waiting, this.#known)];
    return derivedFrom(this.#known, {
      spec: this.#spec,
      status: this.#status,
      findings,
      ...(cause !== undefined && { cause }),
      ...(waiting !== undefined && { waiting }),
      ...(stopped !== undefined && { stopped }),
      ...(usage !== undefined && { usage: sumOfUsage(usage.values()) }),
    });
  }
}

/** Derives a Job whose Pods are all in memory. */
export function deriveRecord(record: JobRecord, around: RecordContext): DerivedJob {
  const { clusterContext } = around;
  const pods = ownPods(record);
  const rules = recordRules(record, clusterContext);
  const tally = tallyPods(pods.values(), rules);
  const derivation = new JobDerivation({ ...around, job: record.job, rules, tally, unseen: unseenJob(record) });
  for (const pod of pods.values()) derivation.visit(pod);
  for (let visit = derivation.nextPass(); visit !== undefined; visit = derivation.nextPass()) {
    for (const pod of pods.values()) visit(pod);
  }
  return derivation.derived();
}

export type RecordContext = Pick<
  KnownJob,
  "clusterContext" | "now" | "queriedAt" | "phantomAfter" | "pastRuns" | "isListed"
>;

/**
 * Derives a large Job from its tally, without reading its Pods. The result has no cause, only findings that need no
 * Pod, and only waiting reasons that the Job itself shows.
 */
export function deriveTally(
  known: Pick<KnownJob, "job" | "tally" | "clusterContext" | "now" | "pastRuns">,
): DerivedJob {
  const { job, tally, clusterContext, now } = known;
  const spec = specOf(job);
  const status = deriveStatus(known);
  const rules = tallyRules(known);
  const found = searchJobFindings({ job, spec, rules, status: status.status, clusterContext, now }).found();
  // Events that refuse Pods may be older than its last Pod, which is not read.
  const own = new WaitingSearch({ job, spec, clusterContext: { ...clusterContext, hints: new Map() }, now });
  const waiting = tally.outcomes.Active === 0 ? own.found() : undefined;
  const findings = [...found, ...findInWaiting(waiting, known)];
  return derivedFrom(known, { spec, status, findings, ...(waiting !== undefined && { waiting }) });
}

function tallyRules({
  job,
  tally,
  clusterContext: { serverVersion },
}: Pick<KnownJob, "job" | "tally" | "clusterContext">) {
  return countingRulesOf(job, { podTracked: tally.tracked > 0, serverVersion });
}

/** How the Pods of a record are counted, by all evidence in it. */
export function recordRules(
  { job, pods }: JobRecord,
  { serverVersion }: Pick<ClusterContext, "serverVersion">,
): CountingRules {
  const podTracked = [...pods.values()].some(wasTracked);
  return countingRulesOf(job, { podTracked, serverVersion });
}

type Known = Pick<KnownJob, "job" | "tally" | "clusterContext" | "now" | "queriedAt" | "unseen" | "pastRuns">;

type Parts = Pick<DerivedJob, "spec" | "status" | "findings" | "cause" | "waiting" | "stopped" | "usage">;

function derivedFrom(known: Known, parts: Parts): DerivedJob {
  const { job, tally, clusterContext, now, queriedAt = now, unseen } = known;
  const { status: derived } = parts;
  const verdict = contradicted(verdictOf(job, tally, derived), parts.findings);
  const expectation = expectationOfJob(known, {
    spec: parts.spec,
    status: derived.status,
    state: verdict.state,
  });
  const late = expectation === undefined ? [] : findInExpectation(expectation, { job, verdict, now });
  const completeness = completenessOf({ job, tally, derived, gaps: clusterContext.gaps, unseen, now });
  const deletedBy = attributeJobDeletion(job, clusterContext);
  return {
    job,
    tally,
    clusterContext,
    now,
    ...parts,
    findings: [...parts.findings, ...late],
    verdict,
    ...(expectation !== undefined && { expectation }),
    completeness: isStale(verdict, now, queriedAt) ? staleSince(completeness, now) : completeness,
    ...(deletedBy !== undefined && { deletedBy }),
    ...(unseen !== undefined && { unseen }),
  };
}

/** Kubernetes and the Pods disagree if one of these findings exists. */
function contradicted(verdict: Verdict, findings: readonly Finding[]): Verdict {
  const isContradicted = verdict.basis === "both" && findings.some(({ kind }) => FINDINGS[kind].contradictsReport);
  return isContradicted ? { ...verdict, basis: "reported" } : verdict;
}

function deriveStatus({ job, tally, clusterContext: { serverVersion }, now }: Omit<Known, "unseen">): DerivedStatus {
  return statusOf({ job, tally, now, ...(serverVersion !== undefined && { serverVersion }) });
}

/** The current spec of a Job; the API server's defaults if none was observed. */
export function specOf(job: JobObject): JobSpec {
  return currentSpec(job) ?? DEFAULT_SPEC;
}

const DEFAULT_SPEC: JobSpec = {
  parallelism: 1,
  completionMode: "NonIndexed",
  backoffLimit: 6,
  suspend: false,
  restartPolicy: "Never",
};
