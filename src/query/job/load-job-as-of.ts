import type { ClusterContext, CronJobRecord, NodeRecord } from "../../job/model/cluster-context.ts";
import type { NodeObserved } from "../../job/model/fact.ts";
import { instantOf } from "../../job/model/fact-instant.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { factsOfJobObject, JobFold, type JobRecord } from "../../job/model/job-record.ts";
import { factsOfPod } from "../../job/model/pod-record.ts";
import type { PastRuns } from "../../parents/series/past-run.ts";
import type { JobView } from "../../projection/job-state/read-job.ts";
import { logBegin } from "../changes/log-begin.ts";
import type { QueryPorts } from "../ports.ts";
import type { ScopedReference, UnknownJob } from "./find-job.ts";
import { loggedFacts, shownFrom } from "./logged-facts.ts";
import { type LoadedJob, loadJob } from "./load-job.ts";

/** A Job as it was known at an instant of the past. */
export interface LoadedJobAsOf {
  readonly outcome: "loadedAsOf";
  readonly loaded: LoadedJob;
  readonly record: JobRecord;
  readonly clusterContext: ClusterContext;
  /** The runs of its series that had ended. */
  readonly pastRuns: PastRuns | undefined;
  /** Some fact has no arrival time, only a lower bound. */
  readonly isBounded: boolean;
}

/** Why there is no answer for an instant. */
export type AsOfRefusal =
  /** No fact about the Job or its Pods had arrived. */
  | { readonly outcome: "notYet"; readonly firstSeenAt: string }
  /** The log of the cluster begins later. What was known at the instant cannot be read any more. */
  | { readonly outcome: "beforeLog"; readonly logBeginsAt: string }
  | { readonly outcome: "inFuture"; readonly now: string };

export interface PastInstant {
  readonly now: Instant;
  readonly asOf: Instant;
}

/** Finds a Job and reads from the log what was known of it at `asOf`. */
export async function loadJobAsOf(
  ports: QueryPorts,
  { scope, wanted }: ScopedReference,
  { now, asOf }: PastInstant,
): Promise<LoadedJobAsOf | AsOfRefusal | UnknownJob> {
  if (asOf > now) return { outcome: "inFuture", now: formatInstant(now) };
  const loaded = await loadJob(ports, scope, wanted);
  if (loaded.outcome !== "loaded") return loaded;
  // The archive has the whole log.
  const beginsAt = loaded.source === "archive" ? undefined : await logBegin(ports.meta, wanted.cluster);
  if (beginsAt !== undefined && asOf < beginsAt) {
    return { outcome: "beforeLog", logBeginsAt: formatInstant(beginsAt) };
  }
  const { record, isBounded } = await recordAsOf(loaded, asOf);
  if (record === undefined) return { outcome: "notYet", firstSeenAt: formatInstant(await firstSeenAt(loaded.view)) };
  await loaded.loadContextOf(record.pods.values());
  const clusterContext = contextAsOf(loaded.clusterContext, asOf);
  const pastRuns = (await loaded.pastRuns())?.filter(({ endedAt }) => endedAt <= asOf);
  return { outcome: "loadedAsOf", loaded, record, clusterContext, pastRuns, isBounded };
}

/**
 * The record of the facts that had arrived by `asOf`; undefined if there are none. Facts without an arrival time are
 * included from their lower bound on.
 */
async function recordAsOf(loaded: LoadedJob, asOf: Instant): Promise<RecordAsOf> {
  const fold = new JobFold();
  let isBounded = false;
  for await (const dated of loggedFacts(loaded)) {
    if (shownFrom(dated) > asOf) continue;
    fold.add(dated.fact);
    isBounded ||= dated.arrivedBy === undefined;
  }
  return { record: fold.records.get(loaded.view.job.uid), isBounded };
}

type RecordAsOf = Pick<LoadedJobAsOf, "isBounded"> & { readonly record: JobRecord | undefined };

async function firstSeenAt(view: JobView): Promise<Instant> {
  let first = Math.min(...factsOfJobObject(view.job).map(({ at }) => at));
  for await (const pod of view.ownPods()) {
    for (const { at } of factsOfPod(pod)) first = Math.min(first, at);
  }
  return first;
}

/** Arrivals date the facts, so missing `managedFields` do not matter. */
function contextAsOf(context: ClusterContext, asOf: Instant): ClusterContext {
  const { nodes, cronJobs, hints, gaps, isUndated: _, ...rest } = context;
  return {
    ...rest,
    ...(cronJobs !== undefined && {
      cronJobs: new Map([...cronJobs].map(([uid, cronJob]) => [uid, cronJobAsOf(cronJob, asOf)])),
    }),
    nodes: new Map([...nodes].map(([name, node]) => [name, nodeAsOf(node, asOf)])),
    hints: new Map([...hints].map(([key, known]) => [key, known.filter((hint) => instantOf(hint) <= asOf)])),
    gaps: gaps.filter(({ from }) => from <= asOf),
  };
}

function nodeAsOf({ stands, deleted, lifecycles, ...node }: NodeRecord, asOf: Instant): NodeRecord {
  const isKnown = ({ lifecycle = [] }: NodeObserved) => lifecycle.every(({ since }) => since <= asOf);
  return {
    ...node,
    ...(lifecycles !== undefined && { lifecycles: lifecycles.filter(isKnown) }),
    stands: stands.filter(({ since }) => since <= asOf),
    deleted: deleted.filter(({ at }) => at <= asOf),
  };
}

function cronJobAsOf({ deleted, ...cronJob }: CronJobRecord, asOf: Instant): CronJobRecord {
  return deleted !== undefined && deleted.at <= asOf ? { ...cronJob, deleted } : cronJob;
}
