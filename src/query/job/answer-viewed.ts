import type { JobAnswer } from "../../explain/answer-document.ts";
import { searchFindings } from "../../job/findings/find-findings.ts";
import type { FindingSearch } from "../../job/findings/finding-search.ts";
import type { Instant } from "../../job/model/instant.ts";
import { answerJob, answerRecord, findingContextOf } from "../../job/derived/job-answer.ts";
import { attributeJobDeletion } from "../../job/attribution/job-deletion.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { recordOf, rulesOf, type ViewedJob } from "./view-job.ts";

export interface AnswerViewedOptions {
  readonly now: Instant;
  /** Milliseconds without a change after which a Pod that runs is suspected of being a phantom; none is unless it is said. */
  readonly phantomAfter?: number | undefined;
  /** Is shown every Pod once, beside the search for findings. */
  readonly look?: (pod: PodRecord) => void;
}

/** The answer about a Job whose Pods are read page by page: the same as from all of them at once. */
export async function answerViewed(viewed: ViewedJob, options: AnswerViewedOptions): Promise<JobAnswer> {
  const { cluster, view, clusterContext } = viewed;
  const { job } = view;
  const { now, phantomAfter } = options;
  if (job.created === undefined) return answerUnseen(viewed, options);
  const rules = rulesOf(viewed);
  const tally = await view.tally(rules);
  const known = { job, tally, clusterContext, now };
  const context = findingContextOf({ ...known, rules });
  const search = searchFindings({ ...context, ...(phantomAfter !== undefined && { phantomAfter }) });
  await searchThrough(viewed, search, options.look);
  const deletedBy = attributeJobDeletion(job, clusterContext);
  return answerJob({
    ...known,
    cluster,
    findings: search.found(),
    ...(deletedBy !== undefined && { deletedBy }),
  });
}

async function searchThrough(
  viewed: ViewedJob,
  search: FindingSearch,
  look: AnswerViewedOptions["look"],
): Promise<void> {
  for await (const pod of viewed.allPods()) {
    search.look(pod);
    look?.(pod);
  }
  for (let again = search.again?.(); again !== undefined; again = search.again?.()) {
    for await (const pod of viewed.pods()) again(pod);
  }
}

/** Of a Job that was never seen itself only its Pods tell, side by side. */
async function answerUnseen(viewed: ViewedJob, { now, phantomAfter, look }: AnswerViewedOptions): Promise<JobAnswer> {
  const { cluster, clusterContext } = viewed;
  const record = await recordOf(viewed);
  if (look !== undefined) for (const pod of record.pods.values()) look(pod);
  return answerRecord(record, { cluster, clusterContext, now, ...(phantomAfter !== undefined && { phantomAfter }) });
}
