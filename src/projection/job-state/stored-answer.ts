import type { JobAnswer } from "../../explain/answer-document.ts";
import type { HourlyUsage } from "../../job/usage/usage.ts";
import type { JobUid } from "../../job/model/ids.ts";
import type { JobRow } from "../../ports/job-row.ts";
import { decodeJobState, type JobState } from "./job-state.ts";
import { SummaryUnreadableError, unpackSummary, unpackUsage } from "./summary-bytes.ts";

/** The answer in a row; `undefined` where it is damaged or of a later release. The projection reports that. */
export function readableAnswer({ summary }: Pick<JobRow, "summary">): JobAnswer | undefined {
  return readable(() => unpackSummary(summary));
}

/** What a Job that is over reserved. `undefined` if that is unknown, damaged or of a later release. */
export function readableUsage({ summary }: Pick<JobRow, "summary">): HourlyUsage | undefined {
  return readable(() => unpackUsage(summary));
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
