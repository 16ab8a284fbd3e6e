import type { JobAnswer } from "../../explain/answer-document.ts";
import type { JobRow } from "../../ports/job-row.ts";
import { unpackSummary } from "../../projection/job-state/summary-bytes.ts";

/** The answer that lists show: as the projection last wrote it, without attempts and evidence. */
export function readSummary({ summary }: Pick<JobRow, "summary">): JobAnswer {
  return unpackSummary(summary);
}
