import type { JobAnswer } from "../../explain/answer-document.ts";
import type { JobUid } from "../../job/model/ids.ts";
import type { JobRow } from "../../ports/job-row.ts";
import { decodeJobState, type JobState } from "./job-state.ts";
import { SummaryUnreadableError, type SummaryWithUsage, unpackSummary, unpackWithUsage } from "./summary-bytes.ts";

/** The answer in a row; `undefined` where it is damaged or of a later release. The projection reports that. */
export function readableAnswer({ summary }: Pick<JobRow, "summary">): JobAnswer | undefined {
  return readable(() => unpackSummary(summary));
}

/** The same with what the Job reserved, if it is over and that can be read. */
export function readableWithUsage(row: Pick<JobRow, "summary">): SummaryWithUsage | undefined {
  const both = readable(() => unpackWithUsage(row.summary));
  if (both !== undefined) return both;
  const answer = readableAnswer(row);
  return answer && { answer };
}

function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof SummaryUnreadableError || cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** The state of a Job; `undefined` where its bytes are damaged or of a later release. The projection reports that. */
export function decodableState(jobUid: JobUid, bytes: Uint8Array): JobState | undefined {
  try {
    return decodeJobState(jobUid, bytes);
  } catch (cause) {
    if (cause instanceof Error) return undefined;
    throw cause;
  }
}
