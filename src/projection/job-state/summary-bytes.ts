import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { SUMMARY_DICTIONARY_V1 } from "./summary-dictionary-v1.ts";

/** The codec's byte comes first. JSON text as it is names itself by its brace: rows of before summaries were packed. */
const DEFLATE_V1 = 1;
const PLAIN_JSON = "{".charCodeAt(0);

const DICTIONARY = Buffer.from(SUMMARY_DICTIONARY_V1);
/** A window that holds the dictionary and the text, and small buffers: setting up zlib's usual ones takes longer than packing. */
const DEFLATE = { level: 6, windowBits: 14, memLevel: 6, chunkSize: 4096, dictionary: DICTIONARY };
/** An answer in a row has no part that grows with the Job, but for 4 KiB of labels and a message a finding. */
const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * What a list shows of a Job, in an eighth of its JSON text: 170 bytes for a usual Job. With its state that stays below 1 KB, which is what one
 * write unit of DynamoDB writes.
 */
export function packSummary(answer: JobAnswer): Uint8Array {
  return Buffer.concat([Buffer.of(DEFLATE_V1), deflateRawSync(JSON.stringify(answer), DEFLATE)]);
}

/** The inverse of {@link packSummary}. Throws {@link SummaryUnreadableError} where `bytes` are none of a summary. */
export function unpackSummary(bytes: Uint8Array): JobAnswer {
  return JSON.parse(summaryText(bytes)) as JobAnswer;
}

function summaryText(bytes: Uint8Array): string {
  const [codec] = bytes;
  if (codec === PLAIN_JSON) return Buffer.from(bytes).toString();
  if (codec !== DEFLATE_V1) {
    throw new SummaryUnreadableError(
      `A Job's summary begins with byte ${codec ?? "none"}; this version of Outlive reads ${DEFLATE_V1} and JSON text. Update Outlive, or build the projection anew with \`outlive replay\`.`,
    );
  }
  try {
    const options = { maxOutputLength: MAX_TEXT_BYTES, chunkSize: DEFLATE.chunkSize, dictionary: DICTIONARY };
    return inflateRawSync(bytes.subarray(1), options).toString();
  } catch (cause) {
    throw new SummaryUnreadableError(
      "A Job's summary cannot be opened: its bytes are damaged. Build the projection anew from the log with `outlive replay`.",
      { cause },
    );
  }
}

/** The bytes in a row are no summary: the projection is damaged, or a later release wrote it. */
export class SummaryUnreadableError extends Error {
  override readonly name = "SummaryUnreadableError";
}
