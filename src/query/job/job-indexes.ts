import * as v from "valibot";
import type { Attempt, JobAnswer } from "../../explain/answer-document.ts";
import { type AnswerOf, count, maybe, text, whole } from "../../explain/answer-parts.ts";
import { presentAttempts } from "../../explain/present-attempt.ts";
import { presentJob } from "../../explain/present-job.ts";
import type { CountingRules } from "../../job/accounting/counting-rules.ts";
import { hasIndex, parseIndexSet } from "../../job/accounting/index-set.ts";
import { deriveTally } from "../../explain/derived-job.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { ScopedReference, UnknownJob } from "./find-job.ts";
import { type Paged, type PageQuery, pageOfItems, startOfPage } from "../list/page.ts";
import type { QueryPorts } from "../ports.ts";
import { rulesOf, type LoadedJob, loadJob } from "./load-job.ts";

export const indexStateSchema = v.pipe(
  v.object({
    index: count,
    state: v.picklist(["Succeeded", "Failed", "Active", "Pending"]),
    attempts: count,
    succeeded: count,
    failed: count,
    lastPod: maybe(text),
    lastExitCode: maybe(whole),
  }),
  v.description("One completion index, with the outcomes of its Pods."),
);
export type IndexState = AnswerOf<typeof indexStateSchema>;

/** All indexes of an Indexed Job, in order, with or without Pods. Other Jobs have none. */
export async function listJobIndexes(
  ports: QueryPorts,
  { scope, wanted }: ScopedReference,
  { now, ...query }: PageQuery & { readonly now: Instant },
): Promise<Paged<IndexState> | UnknownJob> {
  const loaded = await loadJob(ports, scope, wanted);
  if (loaded.outcome !== "loaded") return loaded;
  const { cluster, view, clusterContext } = loaded;
  const { job } = view;
  const question = { indexes: job.uid };
  const start = startOfPage(question, query.cursor);
  if (start.outcome === "badCursor") return start;
  const from = Number(start.after?.[0] ?? -1) + 1;
  // One more than the page needs shows whether there is a next page.
  const most = query.limit + 1;
  const rules = rulesOf(loaded);
  const attempts = await attemptsAt(loaded, { from, below: from + most, rules });
  const tally = await view.tally(rules);
  const answer = presentJob(deriveTally({ job, tally, clusterContext, now }), { cluster, attempts });
  return pageOfItems({ items: indexStates(answer, from, most), question, placeOf: ({ index }) => [index] }, query);
}

/** The attempts of a range of indexes. A Job may have a million other Pods. */
async function attemptsAt(
  loaded: LoadedJob,
  { from, below, rules }: { readonly from: number; readonly below: number; readonly rules: CountingRules },
): Promise<readonly Attempt[]> {
  const { view, clusterContext } = loaded;
  const pods: PodRecord[] = [];
  for await (const pod of view.ownPods()) {
    const index = pod.created?.index;
    if (index !== undefined && index >= from && index < below) pods.push(pod);
  }
  await loaded.loadContextOf(pods);
  return presentAttempts(pods, { job: view.job, clusterContext, rules });
}

/** Up to `most` indexes, starting with `from`. A Job may have 10^9 indexes. */
function indexStates(job: JobAnswer, from: number, most: number): readonly IndexState[] {
  const completions = job.spec.completionMode === "Indexed" ? (job.spec.completions ?? 0) : 0;
  const completed = parseIndexSet(job.status.completedIndexes ?? "", completions);
  const failed = parseIndexSet(job.status.failedIndexes ?? "", completions);
  const attempts = Map.groupBy(job.attempts ?? [], ({ index }) => index);
  return Array.from({ length: Math.max(0, Math.min(most, completions - from)) }, (_, offset) => {
    const index = from + offset;
    const known = { completed: hasIndex(completed, index), failed: hasIndex(failed, index) };
    return describeIndex(index, attempts.get(index) ?? [], known);
  });
}

function describeIndex(
  index: number,
  attempts: readonly Attempt[],
  { completed, failed }: { readonly completed: boolean; readonly failed: boolean },
): IndexState {
  const last = attempts.at(-1);
  const active = attempts.some(({ outcome }) => outcome === "Active" || outcome === "Terminating");
  return {
    index,
    state: completed ? "Succeeded" : failed ? "Failed" : active ? "Active" : "Pending",
    attempts: attempts.length,
    succeeded: attempts.filter(({ outcome }) => outcome === "Succeeded").length,
    failed: attempts.filter(({ outcome }) => outcome === "Failed").length,
    ...(last !== undefined && { lastPod: last.name }),
    ...(last?.exitCode !== undefined && { lastExitCode: last.exitCode }),
  };
}
