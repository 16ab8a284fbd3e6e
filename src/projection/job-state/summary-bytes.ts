import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { withNamedDueTime, withoutNamedDueTime } from "./named-due-time.ts";
import { SUMMARY_DICTIONARY_V1 } from "./summary-dictionary-v1.ts";
import type { JobRow } from "../../ports/job-row.ts";

/** The first byte names the codec. Old rows contain plain JSON, which begins with a brace. */
const DEFLATE_V1 = 1;
const PLAIN_JSON = "{".charCodeAt(0);

const DICTIONARY = Buffer.from(SUMMARY_DICTIONARY_V1);
/** The window fits dictionary and text. Small buffers: allocating the default ones takes longer than compressing. */
const DEFLATE = { level: 6, windowBits: 14, memLevel: 6, chunkSize: 4096, dictionary: DICTIONARY };
/** A summary has no part that grows with the Job, except up to 4 KiB of labels and one message per finding. */
const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * Compresses the list entry of a Job to an eighth of its JSON text, 170 bytes for a usual Job. Together with the state,
 * a usual Job stays below 1 KB, the size of one DynamoDB write unit.
 */
export function packSummary(answer: JobAnswer): Uint8Array {
  return Buffer.concat([Buffer.of(DEFLATE_V1), deflateRawSync(JSON.stringify(withoutNamedDueTime(answer)), DEFLATE)]);
}

/** The inverse of {@link packSummary}. Throws {@link SummaryUnreadableError} if `bytes` are not a summary. */
export function unpackSummary(bytes: Uint8Array): JobAnswer {
  const answer: unknown = JSON.parse(summaryText(bytes));
  if (isSummary(answer)) return withNamedDueTime(answer);
  throw new SummaryUnreadableError(
    "A Job's summary has no verdict, findings or asOf. Rebuild the projection from the log with `outlive replay`.",
  );
}

export function isSummary(value: unknown): value is JobAnswer {
  return typeof value === "object" && value !== null && "verdict" in value && "findings" in value && "asOf" in value;
}

function summaryText(bytes: Uint8Array): string {
  const [codec] = bytes;
  if (codec === PLAIN_JSON) return Buffer.from(bytes).toString();
  if (codec !== DEFLATE_V1) {
    throw new SummaryUnreadableError(
      `Cannot read the summary of a Job: it begins with byte ${codec ?? "none"}, and this version of Outlive reads ` +
        `${DEFLATE_V1} and JSON text. Update Outlive, or rebuild the projection with \`outlive replay\`.`,
    );
  }
  try {
    const options = { maxOutputLength: MAX_TEXT_BYTES, chunkSize: DEFLATE.chunkSize, dictionary: DICTIONARY };
    return inflateRawSync(bytes.subarray(1), options).toString();
  } catch (cause) {
    throw new SummaryUnreadableError(
      "Cannot read the summary of a Job: its bytes are damaged. Rebuild the projection with `outlive replay`.",
      { cause },
    );
  }
}

/** The bytes of a row are not a summary: the projection is damaged, or a later release wrote it. */
export class SummaryUnreadableError extends Error {
  override readonly name = "SummaryUnreadableError";
}

/** The answer that lists show: as the projection last wrote it, without attempts and evidence. */
export function readSummary({ summary }: Pick<JobRow, "summary">): JobAnswer {
  return unpackSummary(summary);
}
