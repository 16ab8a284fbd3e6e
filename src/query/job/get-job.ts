import * as v from "valibot";
import { type JobAnswer, jobAnswerEntries } from "../../explain/answer-document.ts";
import { type AnswerOf, maybe, sourceSchema } from "../../explain/answer-parts.ts";
import { answerRecord, presentJob } from "../../explain/present-job.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { Scope } from "../access/scope.ts";
import { rememberedMeta } from "../clusters/remembered-meta.ts";
import type { QueryPorts } from "../ports.ts";
import { withRun } from "../runs/with-run.ts";
import { derivedTimes, deriveLoaded, type LoadedJob, loadFound, loadJob } from "./load-job.ts";
import { generationSchema, type NamedJob, type ScopedReference, type UnknownJob } from "./find-job.ts";
import { type AsOfRefusal, loadJobAsOf } from "./load-job-as-of.ts";

export const oneJobSchema = v.pipe(
  v.object({ ...jobAnswerEntries, generations: maybe(v.array(generationSchema)), source: sourceSchema }),
  v.description("A Job. `generations` lists all Jobs with this name, newest first, if there were several."),
);
export type OneJob = AnswerOf<typeof oneJobSchema>;

export type JobNow = { readonly outcome: "answered"; readonly answer: OneJob } | UnknownJob;

export type JobFound = JobNow | AsOfRefusal;

export interface JobTime {
  readonly now: Instant;
  /** The Job as it was known at this instant, from the log. */
  readonly asOf?: Instant | undefined;
}

/** The current Job, or the Job as it was known at an instant of the past. */
export async function getJob(
  ports: QueryPorts,
  { scope, wanted }: ScopedReference,
  { now, asOf }: JobTime,
): Promise<JobFound> {
  if (asOf === undefined) return getJobNow(ports, { scope, wanted }, now);
  const past = await loadJobAsOf(ports, { scope, wanted }, { now, asOf });
  if (past.outcome !== "loadedAsOf") return past;
  const { loaded, record, clusterContext, pastRuns, isBounded } = past;
  const { cluster } = loaded;
  const answer = answerRecord(record, { cluster, clusterContext, pastRuns, ...derivedTimes(loaded, asOf) });
  const bounded: JobAnswer = isBounded ? { ...answer, asOf: { ...answer.asOf, bound: "lower" } } : answer;
  return { outcome: "answered", answer: withGenerations(loaded, bounded) };
}

export async function getJobNow(ports: QueryPorts, { scope, wanted }: ScopedReference, now: Instant): Promise<JobNow> {
  const loaded = await loadJob(ports, scope, wanted);
  return loaded.outcome === "loaded"
    ? { outcome: "answered", answer: await answerLoaded(ports, loaded, { scope, now }) }
    : loaded;
}

/** By whom, and when. */
interface Asked {
  readonly scope: Scope;
  readonly now: Instant;
}

/** The answer about a Job that was found. */
export async function answerFound(
  ports: QueryPorts,
  { cluster, found }: { readonly cluster: ClusterName; readonly found: NamedJob },
  asked: Asked,
): Promise<OneJob> {
  const meta = rememberedMeta(ports.meta);
  return answerLoaded(ports, await loadFound({ ...ports, meta }, cluster, found), asked);
}

async function answerLoaded({ runs }: QueryPorts, loaded: LoadedJob, { scope, now }: Asked): Promise<OneJob> {
  const answer = presentJob(await deriveLoaded(loaded, { now }), loaded);
  const { cluster } = loaded;
  const isQueued = loaded.view.job.reported?.queueName !== undefined;
  return withGenerations(
    loaded,
    runs === undefined ? answer : await withRun(runs, answer, { scope, cluster, isQueued }),
  );
}

function withGenerations({ generations, source }: LoadedJob, answer: JobAnswer): OneJob {
  return { ...answer, ...(generations.length > 0 && { generations }), ...(source && { source }) };
}
