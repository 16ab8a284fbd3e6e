import * as v from "valibot";
import { completenessSchema, whyEntries } from "../../explain/answer-document.ts";
import { type AnswerOf, maybe, text } from "../../explain/answer-parts.ts";
import type { DescribedRun } from "../../explain/run/answer-run.ts";
import { runAnswerEntries } from "../../explain/run/run-document.ts";
import { type ExplainedJob, explainingJob, explainRun } from "../../explain/run/why-run.ts";
import { explainWhy } from "../../explain/why.ts";
import { WhyPods } from "../../explain/why-pods.ts";
import { decodeJobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { deriveLoaded, loadListedJob } from "../job/load-job.ts";
import { clusterLogs } from "../log-links/log-links.ts";
import type { RunPorts } from "../ports.ts";
import { findRun, type ScopedRun, type UnknownRun } from "./find-run.ts";
import { describeFoundRun } from "./get-run.ts";

/** Why a run is in its state, and which run it is. */
export const runWhySchema = v.object({
  cluster: text,
  namespace: text,
  kind: text,
  name: text,
  uid: maybe(text),
  verdict: runAnswerEntries.verdict,
  completeness: completenessSchema,
  ...whyEntries,
  answer: v.pipe(text, v.description("The state, then what decided it and what came before, in at most 30 words.")),
});
export type RunWhyAnswer = AnswerOf<typeof runWhySchema>;

export type RunExplained = { readonly outcome: "explained"; readonly why: RunWhyAnswer } | UnknownRun;

/** Explains a run by what is stored of it, and by the one of its Jobs that decided. */
export async function explainStoredRun(ports: RunPorts, run: ScopedRun, now: Instant): Promise<RunExplained> {
  const found = await findRun(ports, run);
  if (found.outcome !== "found") return found;
  const described = await describeFoundRun(ports, run, { found, now });
  if (described === undefined) return { outcome: "unknownRun", near: [] };
  const why = explainRun(described, now, await jobOf(ports, run, { described, now }));
  const { cluster, namespace, kind, name, uid, verdict, completeness } = described.answer;
  const subject = { cluster, namespace, kind, name, ...(uid !== undefined && { uid }), verdict, completeness };
  return { outcome: "explained", why: { ...subject, ...why } };
}

interface DescribedNow {
  readonly described: DescribedRun;
  readonly now: Instant;
}

/** It is in the namespace of the run, which the reader may see. */
async function jobOf(
  ports: RunPorts,
  { wanted: { cluster } }: ScopedRun,
  { described, now }: DescribedNow,
): Promise<ExplainedJob | undefined> {
  const job = explainingJob(described);
  const jobUid = decodeJobUid(job?.uid);
  const loaded = jobUid && (await loadListedJob(ports, { cluster, jobUid }));
  if (job === undefined || loaded === undefined) return undefined;
  const pods = new WhyPods(loaded.view.job, loaded.clusterContext);
  const derived = await deriveLoaded(loaded, { now, visit: (pod) => pods.visit(pod) });
  return { name: job.name, why: explainWhy(derived, pods, clusterLogs(ports.logLinks, cluster)) };
}
