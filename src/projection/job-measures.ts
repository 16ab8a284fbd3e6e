import type { JobAnswer } from "../job/answer.ts";
import { durationBucket } from "../job/duration-bucket.ts";
import { parseInstant } from "../job/instant.ts";
import { needlessMillis } from "../job/needless-runs.ts";
import type { PodRecord } from "../job/pod-record.ts";
import type { JobMeasures } from "../ports/jobs.ts";

/** What is counted of a Job. Without its Pods, which those of a large Job are, the time they wasted is not known and counts as none. */
export function measuresOf(answer: JobAnswer, pods: Iterable<PodRecord>): JobMeasures {
  const { owner, verdict, findings, spec } = answer;
  const bucket = bucketOf(answer);
  const again = spec.completions === undefined ? 0 : Math.max(0, answer.pods.succeeded - spec.completions);
  return {
    state: verdict.state,
    owner: owner === undefined ? "" : `${owner.kind}/${owner.name}`,
    ...(bucket !== undefined && { durationBucket: bucket }),
    findings: [...new Set(findings.map(({ kind }) => kind))].sort().join(","),
    podsSeen: answer.pods.seen,
    podsSucceeded: answer.pods.succeeded,
    podsFailed: answer.pods.failed,
    needlessRuns: again,
    needlessMillis: again === 0 ? 0 : needlessMillis(pods, spec.completions ?? 0),
  };
}

function bucketOf({ startedAt, finishedAt }: JobAnswer): number | undefined {
  const [start, finish] = [parseInstant(startedAt), parseInstant(finishedAt)];
  return start === undefined || finish === undefined || finish < start ? undefined : durationBucket(finish - start);
}
