import type { JobAnswer } from "../../explain/answer-document.ts";
import { presentJob } from "../../explain/present-job.ts";
import { explainWhy, type Why } from "../../explain/why.ts";
import { WhyPods } from "../../explain/why-pods.ts";
import type { Scope } from "../access/scope.ts";
import type { QueryPorts } from "../ports.ts";
import { type DeriveOptions, deriveLoaded } from "./derive-loaded.ts";
import type { JobReference, UnknownJob } from "./find-job.ts";
import { loadJob } from "./load-job.ts";

/** Why a Job is in its state, with enough of the Job to be read by itself. */
export type WhyAnswer = Pick<JobAnswer, "cluster" | "namespace" | "name" | "uid" | "verdict" | "completeness"> & Why;

export type JobExplained = { readonly outcome: "explained"; readonly why: WhyAnswer } | UnknownJob;

export type ExplainOptions = Omit<DeriveOptions, "visit">;

/** A Job's verdict with the facts that it rests on. */
export async function explainJob(
  ports: QueryPorts,
  scope: Scope,
  wanted: JobReference,
  options: ExplainOptions,
): Promise<JobExplained> {
  const loaded = await loadJob(ports, scope, wanted);
  if (loaded.outcome !== "loaded") return loaded;
  const pods = new WhyPods(loaded.view.job, loaded.clusterContext);
  const derived = await deriveLoaded(loaded, { ...options, visit: (pod) => pods.visit(pod) });
  const { cluster, namespace, name, uid, verdict, completeness } = presentJob(derived, loaded);
  return {
    outcome: "explained",
    why: { cluster, namespace, name, uid, verdict, completeness, ...explainWhy(derived, pods) },
  };
}
