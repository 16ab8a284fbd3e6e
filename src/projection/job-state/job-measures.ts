import type { JobAnswer } from "../../explain/answer-document.ts";
import { durationBucket } from "../../job/status/duration-bucket.ts";
import { jobDuration } from "../../job/status/job-duration.ts";
import { needlessMillis } from "../../job/accounting/needless-millis.ts";
import { needlessRuns } from "../../job/accounting/needless-runs.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { JobMeasures } from "../../ports/job-row.ts";

/**
 * The measures of a Job for summaries. Without Pods (as for a large Job), the wasted time is unknown and counts as 0.
 */
export function measuresOf(answer: JobAnswer, pods: Iterable<PodRecord>): JobMeasures {
  const { owner, verdict, findings, spec } = answer;
  const duration = jobDuration(answer);
  const again = needlessRuns(answer);
  return {
    state: verdict.state,
    owner: owner === undefined ? "" : `${owner.kind}/${owner.name}`,
    ...(duration !== undefined && { durationBucket: durationBucket(duration) }),
    findings: [...new Set(findings.map(({ kind }) => kind))].sort().join(","),
    podsSeen: answer.pods.seen,
    podsSucceeded: answer.pods.succeeded,
    podsFailed: answer.pods.failed,
    needlessRuns: again,
    needlessMillis: again === 0 ? 0 : needlessMillis(pods, spec.completions ?? 0),
  };
}
