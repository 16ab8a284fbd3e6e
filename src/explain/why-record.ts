import { deriveRecord } from "./derived-job.ts";
import type { JobRecord } from "../job/model/job-record.ts";
import type { JobAnswer, Why } from "./answer-document.ts";
import { type RecordAnswerOptions, presentRecord } from "./present-job.ts";
import type { ClusterLogs } from "./log-links/pod-log-links.ts";
import { explainWhy } from "./why.ts";
import { WhyPods } from "./why-pods.ts";

/** The answer document of a Job whose Pods are all in memory, and its explanation, from one derivation. */
export function answerAndWhy(
  record: JobRecord,
  { logs, ...options }: RecordAnswerOptions & { readonly logs?: ClusterLogs | undefined },
): { readonly answer: JobAnswer; readonly why: Why } {
  const derived = deriveRecord(record, options);
  const pods = new WhyPods(record.job, options.clusterContext);
  for (const pod of record.pods.values()) pods.visit(pod);
  return { answer: presentRecord(derived, record, options), why: explainWhy(derived, pods, logs) };
}
