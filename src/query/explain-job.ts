import type { JobAnswer } from "../job/answer.ts";
import type { Instant } from "../job/instant.ts";
import { answerRecord } from "../job/job-answer.ts";
import { explainRecord, type Why } from "../job/why.ts";
import type { JobReference, UnknownJob } from "./find-job.ts";
import type { QueryPorts } from "./ports.ts";
import type { Scope } from "./scope.ts";
import { viewJob } from "./view-job.ts";

/** Why a Job is what it is, with enough of the Job to read it by itself. */
export type WhyAnswer = Pick<JobAnswer, "cluster" | "namespace" | "name" | "uid" | "verdict" | "completeness"> & Why;

export type JobExplained = { readonly outcome: "explained"; readonly why: WhyAnswer } | UnknownJob;

export interface ExplainOptions {
  readonly now: Instant;
  /** Milliseconds without a change after which a Pod that runs is suspected of being a phantom; none is unless it is said. */
  readonly phantomAfter?: number | undefined;
}

/** A Job's verdict with the facts it rests on. */
export async function explainJob(
  ports: QueryPorts,
  scope: Scope,
  wanted: JobReference,
  { now, phantomAfter }: ExplainOptions,
): Promise<JobExplained> {
  const viewed = await viewJob(ports, scope, wanted);
  if (viewed.outcome !== "viewed") return viewed;
  const { record, surroundings } = viewed;
  const suspicion = phantomAfter === undefined ? {} : { phantomAfter };
  const answer = answerRecord(record, { cluster: viewed.cluster, surroundings, now, ...suspicion });
  const { cluster, namespace, name, uid, verdict, completeness } = answer;
  const why = explainRecord(answer, record, surroundings);
  return { outcome: "explained", why: { cluster, namespace, name, uid, verdict, completeness, ...why } };
}
