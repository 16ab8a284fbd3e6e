import * as v from "valibot";
import {
  attemptSchema,
  attributionSchema,
  chainEntrySchema,
  completenessSchema,
  factRefSchema,
  findingSchema,
  gapSchema,
  jobAnswerSchema,
  jobChangeSchema,
  jobStatusSchema,
  ownerSchema,
  podCountsSchema,
  queueSchema,
  runSchema,
  seriesSchema,
  verdictSchema,
} from "../../explain/answer-document.ts";
import { comparedFieldSchema, comparisonSchema } from "../../explain/compare/comparison-document.ts";
import { usageByClassSchema, usageSchema } from "../../explain/usage/usage-schema.ts";
import { maybe, text } from "../../explain/answer-parts.ts";
import { runAnswerSchema } from "../../explain/run/run-document.ts";
import { attentionEntrySchema } from "../../query/attention/attention.ts";
import { runEventSchema } from "../../query/runs/run-history.ts";
import { clusterSchema } from "../../query/clusters/clusters.ts";
import { clusterGapSchema } from "../../query/clusters/gaps.ts";
import { cronJobSchema } from "../../query/cron-jobs/cron-jobs.ts";
import { whySchema } from "../../query/job/explain-job.ts";
import { generationSchema } from "../../query/job/find-job.ts";
import { oneJobSchema } from "../../query/job/get-job.ts";
import { historyEntrySchema } from "../../query/job/job-history.ts";
import { indexStateSchema } from "../../query/job/job-indexes.ts";
import { nodesSchema } from "../../explain/nodes/nodes-schema.ts";
import { usageReportSchema } from "../../query/usage/usage-report.ts";
import { summarySchema } from "../../query/summary/summary.ts";
import { problemSchema } from "./problem.ts";

/** The named schemas of the OpenAPI document. */
export const COMPONENTS = {
  Attempt: attemptSchema,
  AttentionEntry: attentionEntrySchema,
  Attribution: attributionSchema,
  ComparedField: comparedFieldSchema,
  Comparison: comparisonSchema,
  ChainEntry: chainEntrySchema,
  Cluster: clusterSchema,
  ClusterGap: clusterGapSchema,
  Completeness: completenessSchema,
  CronJob: cronJobSchema,
  FactRef: factRefSchema,
  Finding: findingSchema,
  Gap: gapSchema,
  Generation: generationSchema,
  HistoryEntry: historyEntrySchema,
  IndexState: indexStateSchema,
  Job: jobAnswerSchema,
  JobChange: jobChangeSchema,
  JobRun: runSchema,
  JobStatus: jobStatusSchema,
  Nodes: nodesSchema,
  OneJob: oneJobSchema,
  Owner: ownerSchema,
  PodCounts: podCountsSchema,
  Problem: problemSchema,
  Queue: queueSchema,
  Run: runAnswerSchema,
  RunEvent: runEventSchema,
  Series: seriesSchema,
  Summary: summarySchema,
  Usage: usageSchema,
  UsageByClass: usageByClassSchema,
  UsageReport: usageReportSchema,
  Verdict: verdictSchema,
  Why: whySchema,
};

/** The schema of one page of a list. */
export function pageOf(item: v.GenericSchema) {
  return v.object({
    items: v.array(item),
    nextCursor: maybe(
      v.pipe(
        text,
        v.description(
          "Pass it as `cursor` to get the next page. Absent on the last page. " +
            "A page may have fewer than `limit` items and still not be the last.",
        ),
      ),
    ),
  });
}
