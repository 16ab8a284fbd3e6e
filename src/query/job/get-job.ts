import type { JobAnswer } from "../../explain/answer-document.ts";
import type { CronJobRecord, ClusterContext } from "../../job/model/cluster-record.ts";
import { instantOf } from "../../job/model/fact-instant.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { emptyJob, factsOfJobObject, JobFold, type JobRecord } from "../../job/model/job-record.ts";
import { answerRecord, presentJob } from "../../explain/present-job.ts";
import { factsOfPod } from "../../job/model/pod-record.ts";
import type { Log } from "../../ports/log.ts";
import type { JobView } from "../../projection/job-state/read-job.ts";
import { deriveLoaded } from "./derive-loaded.ts";
import type { Generation, JobReference, UnknownJob } from "./find-job.ts";
import { logBegin } from "../changes/log-begin.ts";
import { loggedFacts, shownFrom } from "./logged-facts.ts";
import type { QueryPorts } from "../ports.ts";
import type { Scope } from "../access/scope.ts";
import { type LoadedJob, loadJob } from "./load-job.ts";

/** One Job; where its name was used more than once, every incarnation of it, newest first. */
export type OneJob = JobAnswer & { readonly generations?: readonly Generation[] };

export type JobNow = { readonly outcome: "answered"; readonly answer: OneJob } | UnknownJob;

export type JobFound =
  | JobNow
  /** `asOf` is before anything was known of it. */
  | { readonly outcome: "notYet"; readonly firstSeenAt: string }
  /** `asOf` is before the log of its cluster begins: what was known then is not known any more, if it ever was. */
  | { readonly outcome: "beforeLog"; readonly logBeginsAt: string }
  /** `asOf` is later than now. */
  | { readonly outcome: "inFuture"; readonly now: string };

export interface JobTime {
  readonly now: Instant;
  /** The Job as it was known to be at this instant, from the log. */
  readonly asOf?: Instant | undefined;
}

/** The Job as it is now, or as it was known to be at an instant of the past. */
export async function getJob(
  ports: QueryPorts,
  scope: Scope,
  wanted: JobReference,
  { now, asOf }: JobTime,
): Promise<JobFound> {
  if (asOf === undefined) return getJobNow(ports, scope, wanted, now);
  if (asOf > now) return { outcome: "inFuture", now: formatInstant(now) };
  const loaded = await loadJob(ports, scope, wanted);
  if (loaded.outcome !== "loaded") return loaded;
  const beginsAt = await logBegin(ports.meta, wanted.cluster);
  if (beginsAt !== undefined && asOf < beginsAt) {
    return { outcome: "beforeLog", logBeginsAt: formatInstant(beginsAt) };
  }
  const record = await recordAsOf(ports.log, loaded.view, asOf);
  if (record.job.created === undefined) return { outcome: "notYet", firstSeenAt: await firstSeenAt(loaded.view) };
  await loaded.loadContextOf(record.pods.values());
  const { cluster } = loaded;
  const clusterContext = contextAsOf(loaded.clusterContext, asOf);
  return answered(loaded, answerRecord(record, { cluster, clusterContext, now: asOf }));
}

export async function getJobNow(ports: QueryPorts, scope: Scope, wanted: JobReference, now: Instant): Promise<JobNow> {
  const loaded = await loadJob(ports, scope, wanted);
  return loaded.outcome === "loaded"
    ? answered(loaded, presentJob(await deriveLoaded(loaded, { now }), loaded))
    : loaded;
}

function answered({ generations }: LoadedJob, answer: JobAnswer): JobNow {
  return { outcome: "answered", answer: generations.length > 1 ? { ...answer, generations } : answer };
}

/**
 * The Job as the facts that had arrived by `asOf` give it; facts without an arrival time count from their lower bound
 * on.
 */
async function recordAsOf(log: Log, view: JobView, asOf: Instant): Promise<JobRecord> {
  const fold = new JobFold();
  for await (const dated of loggedFacts(log, view)) {
    if (shownFrom(dated) <= asOf) fold.add(dated.fact);
  }
  return fold.records.get(view.job.uid) ?? emptyJob(view.job.uid);
}

function contextAsOf({ nodes, cronJobs, hints, gaps, ...rest }: ClusterContext, asOf: Instant): ClusterContext {
  return {
    ...rest,
    ...(cronJobs !== undefined && {
      cronJobs: new Map([...cronJobs].map(([uid, cronJob]) => [uid, cronJobAsOf(cronJob, asOf)])),
    }),
    nodes: new Map(
      [...nodes].map(([name, node]) => [
        name,
        {
          ...node,
          stands: node.stands.filter(({ since }) => since <= asOf),
          deleted: node.deleted.filter(({ at }) => at <= asOf),
        },
      ]),
    ),
    hints: new Map([...hints].map(([key, known]) => [key, known.filter((hint) => instantOf(hint) <= asOf)])),
    gaps: gaps.filter(({ from }) => from <= asOf),
  };
}

function cronJobAsOf({ deleted, ...cronJob }: CronJobRecord, asOf: Instant): CronJobRecord {
  return deleted !== undefined && deleted.at <= asOf ? { ...cronJob, deleted } : cronJob;
}

async function firstSeenAt(view: JobView): Promise<string> {
  let first = Math.min(...factsOfJobObject(view.job).map(({ at }) => at));
  for await (const pod of view.ownPods()) {
    for (const { at } of factsOfPod(pod)) first = Math.min(first, at);
  }
  return formatInstant(first);
}
