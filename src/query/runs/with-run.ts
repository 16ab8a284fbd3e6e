import type { JobAnswer } from "../../explain/answer-document.ts";
import { inRun, runUidOfAnswer } from "../../explain/run/job-in-run.ts";
import { decodeJobUid } from "../../job/model/ids.ts";
import { starterIn } from "../../parents/run/run-uid.ts";
import { recordOf } from "../../projection/run-state/project-run.ts";
import type { RunStore } from "../../ports/jobs.ts";
import { preemptorsOf, type Reader } from "./preemptors.ts";

/**
 * The answer with what the objects above a Job say: their owners, and the queue of a Job that Kueue admits by itself.
 * One read, for Jobs with an owner or a queue only, and one for each Job that preempted it.
 */
export async function withRun(
  runs: RunStore,
  answer: JobAnswer,
  { isQueued, ...reader }: Reader & { readonly isQueued: boolean },
): Promise<JobAnswer> {
  if (!isQueued && starterIn(answer.owners) === undefined) return answer;
  const jobUid = decodeJobUid(runUidOfAnswer(answer));
  const stored = jobUid && (await runs.read({ cluster: reader.cluster, jobUid }));
  if (stored === undefined) return answer;
  const record = recordOf(jobUid ?? "", stored);
  return inRun(answer, record, isQueued ? await preemptorsOf(runs, reader, record) : undefined);
}
