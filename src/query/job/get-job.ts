import type { JobAnswer } from "../../explain/answer-document.ts";
import { answerRecord, presentJob } from "../../explain/present-job.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { QueryPorts } from "../ports.ts";
import { derivedTimes, deriveLoaded } from "./derive-loaded.ts";
import type { Generation, ScopedReference, UnknownJob } from "./find-job.ts";
import { type LoadedJob, loadJob } from "./load-job.ts";
import { type AsOfRefusal, loadJobAsOf } from "./load-job-as-of.ts";

/** One Job. If other Jobs had the same name, with all of these generations, newest first. */
export type OneJob = JobAnswer & { readonly generations?: readonly Generation[] };

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
  const { loaded, record, clusterContext, isBounded } = past;
  const { cluster } = loaded;
  const answer = answerRecord(record, { cluster, clusterContext, ...derivedTimes(loaded, asOf) });
  return answered(loaded, isBounded ? { ...answer, asOf: { ...answer.asOf, bound: "lower" } } : answer);
}

export async function getJobNow(ports: QueryPorts, { scope, wanted }: ScopedReference, now: Instant): Promise<JobNow> {
  const loaded = await loadJob(ports, scope, wanted);
  return loaded.outcome === "loaded"
    ? answered(loaded, presentJob(await deriveLoaded(loaded, { now }), loaded))
    : loaded;
}

function answered({ generations }: LoadedJob, answer: JobAnswer): JobNow {
  return { outcome: "answered", answer: generations.length > 1 ? { ...answer, generations } : answer };
}
