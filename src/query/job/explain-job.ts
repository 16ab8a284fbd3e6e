import * as v from "valibot";
import { completenessSchema, verdictSchema, whyEntries } from "../../explain/answer-document.ts";
import { type AnswerOf, instant, maybe, sourceSchema, text } from "../../explain/answer-parts.ts";
import { type JobSubject, presentSubject } from "../../explain/present-job.ts";
import { explainWhy } from "../../explain/why.ts";
import { WhyPods } from "../../explain/why-pods.ts";
import { answerAndWhy } from "../../explain/why-record.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { clusterLogs } from "../log-links/log-links.ts";
import type { QueryPorts } from "../ports.ts";
import { derivedTimes, type DeriveOptions, deriveLoaded, type LoadedJob, loadJob } from "./load-job.ts";
import type { ScopedReference, UnknownJob } from "./find-job.ts";
import { type AsOfRefusal, loadJobAsOf } from "./load-job-as-of.ts";

/** Why a Job is in its state, and which Job it is. */
export const whySchema = v.object({
  cluster: text,
  namespace: text,
  name: text,
  uid: text,
  verdict: verdictSchema,
  completeness: completenessSchema,
  ...whyEntries,
  asOf: v.pipe(
    maybe(v.object({ time: instant, bound: maybe(v.literal("lower")) })),
    v.description(
      "The instant of the past that was asked about. With `bound`, the state may have become true later than `time`.",
    ),
  ),
  source: sourceSchema,
});
export type WhyAnswer = AnswerOf<typeof whySchema>;

export type JobExplained = { readonly outcome: "explained"; readonly why: WhyAnswer } | AsOfRefusal | UnknownJob;

export interface ExplainOptions extends Omit<DeriveOptions, "visit"> {
  /** Explains what was known at an instant, from the log. */
  readonly asOf?: Instant | undefined;
}

/** Explains a Job's current verdict, or the verdict at an instant of the past, with its evidence. */
export async function explainJob(
  ports: QueryPorts,
  job: ScopedReference,
  { asOf, ...options }: ExplainOptions,
): Promise<JobExplained> {
  if (asOf !== undefined) return explainJobAsOf(ports, job, { ...options, asOf });
  const loaded = await loadJob(ports, job.scope, job.wanted);
  if (loaded.outcome !== "loaded") return loaded;
  const pods = new WhyPods(loaded.view.job, loaded.clusterContext);
  const derived = await deriveLoaded(loaded, { ...options, visit: (pod) => pods.visit(pod) });
  const why = explainWhy(derived, pods, clusterLogs(ports.logLinks, loaded.cluster));
  return explained(presentSubject(derived, loaded.cluster), { ...why, ...sourceOf(loaded) });
}

async function explainJobAsOf(
  ports: QueryPorts,
  job: ScopedReference,
  { now, asOf, phantomAfter }: ExplainOptions & { readonly asOf: Instant },
): Promise<JobExplained> {
  const past = await loadJobAsOf(ports, job, { now, asOf });
  if (past.outcome !== "loadedAsOf") return past;
  const { loaded, record, clusterContext, pastRuns, isBounded } = past;
  const times = derivedTimes(loaded, asOf);
  const { cluster } = loaded;
  const logs = clusterLogs(ports.logLinks, cluster);
  const around = { clusterContext, pastRuns, phantomAfter };
  const { answer, why } = answerAndWhy(record, { cluster, ...around, ...times, logs });
  const time = { time: formatInstant(asOf), ...(isBounded && ({ bound: "lower" } as const)) };
  return explained(answer, { ...why, asOf: time, ...sourceOf(loaded) });
}

function sourceOf({ source }: LoadedJob): Pick<WhyAnswer, "source"> {
  return source === undefined ? {} : { source };
}

function explained(
  { cluster, namespace, name, uid, verdict, completeness }: JobSubject,
  why: Omit<WhyAnswer, keyof JobSubject>,
): JobExplained {
  return { outcome: "explained", why: { cluster, namespace, name, uid, verdict, completeness, ...why } };
}
