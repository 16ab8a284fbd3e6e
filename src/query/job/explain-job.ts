import type { JobAnswer } from "../../explain/answer-document.ts";
import { explain, type Why } from "../../explain/why.ts";
import { WhyPods } from "../../explain/why-pods.ts";
import { answerViewed, type AnswerViewedOptions } from "./answer-viewed.ts";
import type { JobReference, UnknownJob } from "./find-job.ts";
import type { QueryPorts } from "../ports.ts";
import type { Scope } from "../access/scope.ts";
import { viewJob } from "./view-job.ts";

/** Why a Job is what it is, with enough of the Job to read it by itself. */
export type WhyAnswer = Pick<JobAnswer, "cluster" | "namespace" | "name" | "uid" | "verdict" | "completeness"> & Why;

export type JobExplained = { readonly outcome: "explained"; readonly why: WhyAnswer } | UnknownJob;

export type ExplainOptions = Omit<AnswerViewedOptions, "look">;

/** A Job's verdict with the facts it rests on. */
export async function explainJob(
  ports: QueryPorts,
  scope: Scope,
  wanted: JobReference,
  options: ExplainOptions,
): Promise<JobExplained> {
  const viewed = await viewJob(ports, scope, wanted);
  if (viewed.outcome !== "viewed") return viewed;
  const pods = new WhyPods(viewed.view.job, viewed.clusterContext);
  const answer = await answerViewed(viewed, { ...options, look: (pod) => pods.look(pod) });
  const { cluster, namespace, name, uid, verdict, completeness } = answer;
  return {
    outcome: "explained",
    why: { cluster, namespace, name, uid, verdict, completeness, ...explain(answer, pods) },
  };
}
