import * as v from "valibot";
import { STATES } from "../../job/model/states.ts";
import type { JobChange } from "../../query/changes/changes.ts";
import type { ClusterAnswer } from "../../query/clusters/clusters.ts";
import type { Generation } from "../../query/job/find-job.ts";
import type { ClusterGap } from "../../query/clusters/gaps.ts";
import type { HistoryEntry } from "../../query/job/job-history.ts";
import type { IndexState } from "../../query/job/job-indexes.ts";
import type { SummaryAnswer } from "../../query/summary/summary.ts";
import { cronJobSchema, percentilesSchema } from "./cron-job-schema.ts";
import {
  attemptSchema,
  attributionSchema,
  completenessSchema,
  factRefSchema,
  findingSchema,
  gapSchema,
  jobAnswerEntries,
  jobAnswerSchema,
  jobStatusSchema,
  podCountsSchema,
  verdictSchema,
} from "../../explain/answer-document.ts";
import { amount, count, instant, maybe, sourceSchema, text, whole } from "../../explain/answer-parts.ts";
import { chainEntrySchema, whySchema } from "./why-schema.ts";

const generationSchema: v.GenericSchema<Generation> = v.pipe(
  v.object({ uid: text, createdAt: instant, finishedAt: maybe(instant), state: v.picklist(STATES) }),
  v.description("One of several Jobs with the same name."),
);

export const oneJobSchema = v.pipe(
  v.object({ ...jobAnswerEntries, generations: maybe(v.array(generationSchema)), source: sourceSchema }),
  v.description("A Job. `generations` lists all Jobs with this name, newest first, if there were several."),
);

export const historyEntrySchema: v.GenericSchema<HistoryEntry> = v.pipe(
  v.object({
    kind: text,
    time: instant,
    bound: maybe(v.literal("lower")),
    resourceVersion: text,
    object: maybe(text),
    detail: maybe(text),
  }),
  v.description("One recorded fact. With `bound`, it may have become true later than `time`."),
);

export const indexStateSchema: v.GenericSchema<IndexState> = v.pipe(
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

export const clusterSchema: v.GenericSchema<ClusterAnswer> = v.object({
  name: text,
  kubeSystemUid: maybe(text),
  serverVersion: maybe(text),
  observedAt: maybe(instant),
  namespaces: v.array(text),
});

export const clusterGapSchema: v.GenericSchema<ClusterGap> = v.object({
  cluster: text,
  from: maybe(instant),
  to: maybe(instant),
  resources: v.array(text),
  reason: text,
});

const summaryEntries = {
  jobs: count,
  byState: v.object({
    Pending: maybe(count),
    Running: maybe(count),
    Suspended: maybe(count),
    Complete: maybe(count),
    Failed: maybe(count),
    Deleted: maybe(count),
    Unknown: maybe(count),
  }),
  successRate: maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  durationSeconds: maybe(percentilesSchema),
  pods: v.object({ seen: count, succeeded: count, failed: count }),
  reRuns: v.object({ jobs: count, pods: count, seconds: amount }),
  findings: v.record(v.string(), count),
  attention: count,
};

export const summarySchema: v.GenericSchema<SummaryAnswer> = v.object({
  ...summaryEntries,
  groups: maybe(
    v.pipe(
      v.array(v.object({ key: text, ...summaryEntries })),
      v.description(
        "The same counts for each group. `key` is a name, `Kind/name` of " +
          "the owner (empty without one), or the start of the hour or day.",
      ),
    ),
  ),
  groupsOmitted: maybe(count),
  asOf: maybe(
    v.pipe(
      v.object({ time: instant }),
      v.description(
        "The time as of which stored counts are: usually one to five minutes ago. Every change before it is counted. " +
          "Absent where the Jobs themselves were counted for this answer.",
      ),
    ),
  ),
  complete: v.pipe(v.boolean(), v.description("Whether every Job is counted.")),
  partial: maybe(
    v.pipe(
      v.object({ since: instant }),
      v.description("If not: the summary covers the Jobs that were created at this time or later."),
    ),
  ),
});

export const jobChangeSchema: v.GenericSchema<JobChange> = v.object({
  previous: maybe(v.pipe(v.picklist(STATES), v.description("The previous state. Absent for a new Job."))),
  job: v.pipe(jobAnswerSchema, v.description("The Job as lists show it, right after the change.")),
});

export const healthSchema = v.object({ status: v.literal("ok") });

const problemSchema = v.pipe(
  v.object({
    type: text,
    title: text,
    status: whole,
    detail: v.pipe(text, v.description("What failed, and what to do.")),
    errors: maybe(v.array(v.object({ in: text, name: text, detail: text }))),
  }),
  v.description("Problem details (RFC 9457)."),
);

/** The named schemas of the OpenAPI document. */
export const COMPONENTS = {
  Attempt: attemptSchema,
  Attribution: attributionSchema,
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
  JobStatus: jobStatusSchema,
  OneJob: oneJobSchema,
  PodCounts: podCountsSchema,
  Problem: problemSchema,
  Summary: summarySchema,
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
