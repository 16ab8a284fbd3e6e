import { answerRun, seenAtOf } from "../../explain/run/answer-run.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { ListedJob } from "../../ports/job-row.ts";
import { decodeRun } from "../../projection/run-state/run-state.ts";

/** The answer about a run of a list; `undefined` for a Job on its own that Kueue admits. */
export function answerRow({
  cluster,
  jobUid,
  summary,
}: ListedJob & { readonly cluster: ClusterName }): RunAnswer | undefined {
  const record = decodeRun(jobUid, summary);
  return answerRun(record, { cluster, now: seenAtOf(record) });
}
