import type { JobAnswer } from "../../explain/answer-document.ts";
import { inRun, runUidOfAnswer } from "../../explain/run/job-in-run.ts";
import { type ClusterName, decodeJobUid } from "../../job/model/ids.ts";
import { starterIn } from "../../parents/run/run-uid.ts";
import { recordOf } from "../../projection/run-state/project-run.ts";
import type { RunStore } from "../../ports/jobs.ts";

/**
 * The answer with what the objects above a Job say: their owners, and the queue of a Job that Kueue admits by itself.
 * One read, for Jobs with an owner or a queue only.
 */
export async function withRun(
  runs: RunStore,
  answer: JobAnswer,
  { cluster, isQueued }: { readonly cluster: ClusterName; readonly isQueued: boolean },
): Promise<JobAnswer> {
  if (!isQueued && starterIn(answer.owners) === undefined) return answer;
  const jobUid = decodeJobUid(runUidOfAnswer(answer));
  const stored = jobUid && (await runs.read({ cluster, jobUid }));
  return stored === undefined ? answer : inRun(answer, recordOf(jobUid ?? "", stored));
}
