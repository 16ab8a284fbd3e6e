import { answerRun, seenAtOf } from "../../explain/run/answer-run.ts";
import { ownRecord, type RunRecord } from "../../explain/run/run-record.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { rowOfRun } from "../../projection/run-state/run-row.ts";
import { type ArchiveHour, dayText } from "../layout/archive-hour.ts";
import type { DatedRow } from "./job-rows.ts";
import { runRow } from "./run-columns.ts";

export interface RunOfHour {
  readonly cluster: ClusterName;
  readonly record: RunRecord;
  readonly revision: ArchiveHour;
}

/**
 * The row of a run, as of what was last heard of it; `undefined` until it has ended, and for a Job on its own. The end
 * of a run that only its Jobs are known of is that of the last one.
 */
export function runRowOf({ cluster, record, revision }: RunOfHour): DatedRow | undefined {
  const answer = answerRun(record, { cluster, now: seenAtOf(record) });
  const endedAt = rowOfRun(record)?.endedAt;
  if (answer === undefined || endedAt === undefined) return undefined;
  return { table: "runs", day: dayText(endedAt), row: runRow({ answer, record: ownRecord(record), revision }) };
}
