import type { JobAnswer } from "../../explain/answer-document.ts";
import { type AttemptContext, categoryOfAttempt } from "../../explain/present-attempt.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { outcomeOf } from "../../job/model/outcome.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { jobDuration } from "../../job/status/job-duration.ts";
import { startDelay } from "../../job/status/start-delay.ts";
import type { HourlyUsage } from "../../job/usage/usage.ts";
import { reservedAmounts } from "./reserved-amounts.ts";
import { cronJobOf } from "../../parents/cron-job/cron-lineage.ts";
import { labelValue } from "../../ports/bounded-labels.ts";
import type { Amount, Contribution, Labels, Series } from "../../ports/metric-store.ts";
import {
  ATTEMPTS,
  CRON_JOB_LAST_SUCCESS,
  FINDINGS,
  FINDINGS_TOTAL,
  JOB_DURATION,
  JOB_START_DELAY,
  JOBS,
  JOBS_FINISHED,
  type MetricFamily,
  RESERVED_SECONDS,
  WASTED_SECONDS,
} from "./metric-families.ts";

/** A Job as it was derived for its list row. */
export interface CountedJob {
  readonly answer: JobAnswer;
  /** Final, deleted, or missing from a later list. */
  readonly isOver: boolean;
  /** Whether the Job object was observed, and not only its Pods. */
  readonly isObserved: boolean;
  /** Whether time alone can still change the Job: it has not ended, or its Pods are not settled. */
  readonly isOpen: boolean;
  /** The total run time of needless runs. */
  readonly needlessMillis: number;
  /** Its Pods; `undefined` for a large Job, whose Pods are not read. */
  readonly pods?: readonly PodRecord[];
  /** The context on which the categories of its Pods depend. Unset for a Job that is large or may become so. */
  readonly categories?: AttemptContext;
  /** Whether a sweep has confirmed the findings with the whole context of the Job. */
  readonly isSwept: boolean;
  /** What its Pods reserved. Unset until it is over, and while the Pods of a large Job were not read. */
  readonly usage?: HourlyUsage | undefined;
}

/** What a Job adds to the metrics. It replaces what it added before. */
export function jobContribution(counted: CountedJob): Contribution {
  const { answer, pods, categories, usage } = counted;
  const amounts = [
    ...stateAmounts(counted),
    ...durationAmounts(counted),
    ...startDelayAmounts(answer, pods ?? []),
    ...(pods === undefined || categories === undefined ? tallied(answer) : attemptAmounts(answer, pods, categories)),
    ...findingAmounts(counted),
    ...wastedAmounts(counted),
    ...reserved(counted),
  ];
  const keep =
    pods === undefined ? [...UNREAD_FAMILIES, ...(usage ? [] : [RESERVED_SECONDS.number])] : LASTING_FAMILIES;
  return { amounts, keep, at: parseInstant(answer.asOf.time) ?? 0 };
}

/** A finding remains counted when it is over. */
const LASTING_FAMILIES = [FINDINGS_TOTAL.number];
/** The amounts of the first Pods of a Job stay when it becomes large, because later Pods are not read. */
const UNREAD_FAMILIES = [...LASTING_FAMILIES, JOB_START_DELAY.number, WASTED_SECONDS.number];

/** The value of `owner` and `owner_kind` of a Job without an owner, as kube-state-metrics writes it. */
export const NO_OWNER = "<none>";

function ownerLabels({ cluster, namespace, owner }: JobAnswer): Labels {
  return {
    cluster,
    namespace,
    owner_kind: owner === undefined ? NO_OWNER : labelValue(owner.kind),
    owner: owner === undefined ? NO_OWNER : labelValue(owner.name),
  };
}

function stateAmounts({ answer, isOver, isObserved }: CountedJob): readonly Amount[] {
  const { cluster, namespace, verdict } = answer;
  const { state, reason = "" } = verdict;
  if (!isOver) return [one(gauge(JOBS, { cluster, namespace, state }))];
  // If only Pods of a Job are known, nothing shows how it ended. Its own facts may still arrive.
  if (!isObserved) return [];
  return [one(counter(JOBS_FINISHED, { ...ownerLabels(answer), state, reason: labelValue(reason) }))];
}

function durationAmounts({ answer, isOver }: CountedJob): readonly Amount[] {
  const millis = isOver ? jobDuration(answer) : undefined;
  const { owner, finishedAt, verdict } = answer;
  const observed =
    millis === undefined ? [] : observation(JOB_DURATION, { ...ownerLabels(answer), state: verdict.state }, millis);
  const at = parseInstant(finishedAt);
  const cronJob = cronJobOf(owner);
  if (cronJob === undefined || verdict.state !== "Complete" || at === undefined) return observed;
  const { cluster, namespace } = answer;
  const labels = { cluster, namespace, cronjob: labelValue(cronJob.name) };
  return [
    ...observed,
    { series: { family: CRON_JOB_LAST_SUCCESS.number, kind: "latest", labels }, part: 0, amount: at },
  ];
}

interface Ended {
  readonly outcome: string;
  readonly category: string;
  readonly count: number;
}

function attemptAmounts(answer: JobAnswer, pods: readonly PodRecord[], categories: AttemptContext): readonly Amount[] {
  const counts = new Map<string, Ended>();
  for (const pod of pods) {
    const outcome = outcomeOf(pod);
    if (outcome === "Active" || outcome === "Terminating") continue;
    const category = outcome === "Succeeded" ? "" : (categoryOfAttempt(pod, categories) ?? "unknown");
    const key = `${outcome} ${category}`;
    counts.set(key, { outcome, category, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].map((ended) => attemptsOf(answer, ended));
}

function attemptsOf({ cluster, namespace }: JobAnswer, { outcome, category, count }: Ended): Amount {
  return { series: counter(ATTEMPTS, { cluster, namespace, outcome, category }), part: 0, amount: count };
}

/** The attempts of a large Job by its tally, which has no categories. */
function tallied(answer: JobAnswer): readonly Amount[] {
  const { succeeded, failed, unknown } = answer.pods;
  return [
    { outcome: "Succeeded", category: "", count: succeeded },
    { outcome: "Failed", category: UNREAD, count: failed },
    { outcome: "Unknown", category: UNREAD, count: unknown },
  ]
    .filter(({ count }) => count > 0)
    .map((ended) => attemptsOf(answer, ended));
}

/** The category of failed Pods of a large Job, which are counted without being read. */
const UNREAD = "unread";

function startDelayAmounts(answer: JobAnswer, pods: readonly PodRecord[]): readonly Amount[] {
  const createdAt = parseInstant(answer.createdAt);
  const delay = createdAt === undefined ? undefined : startDelay(createdAt, pods);
  return delay === undefined ? [] : observation(JOB_START_DELAY, ownerLabels(answer), delay);
}

function findingAmounts({ answer, isOpen, isSwept }: CountedJob): readonly Amount[] {
  const { cluster, namespace, findings } = answer;
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => [
    ...(isOpen ? [one(gauge(FINDINGS, { cluster, namespace, kind }))] : []),
    ...(isSwept ? [one(counter(FINDINGS_TOTAL, { cluster, namespace, kind }))] : []),
  ]);
}

function wastedAmounts({ answer, needlessMillis }: CountedJob): readonly Amount[] {
  if (needlessMillis === 0) return [];
  return [{ series: counter(WASTED_SECONDS, ownerLabels(answer)), part: 0, amount: Math.round(needlessMillis) }];
}

function reserved({ answer: { cluster, namespace }, usage }: CountedJob): readonly Amount[] {
  return reservedAmounts(usage).map(({ resource, of, bound, amount }) => ({
    series: counter(RESERVED_SECONDS, { cluster, namespace, resource: labelValue(resource), class: of, bound }),
    part: 0,
    amount,
  }));
}

/** One observation of a histogram: its sum, and its bucket. */
function observation(family: MetricFamily, labels: Labels, millis: number): readonly Amount[] {
  const { bounds = [] } = family;
  const within = bounds.findIndex((seconds) => millis <= seconds * 1_000);
  const bucket = within === -1 ? bounds.length : within;
  const series = counter(family, labels);
  return [
    { series, part: 0, amount: Math.round(millis) },
    { ...one(series), part: bucket + 1 },
  ];
}

function one(series: Series): Amount {
  return { series, part: 0, amount: 1 };
}

function gauge(family: MetricFamily, labels: Labels): Series {
  return { family: family.number, kind: "gauge", labels };
}

function counter(family: MetricFamily, labels: Labels): Series {
  return { family: family.number, kind: "counter", labels };
}
