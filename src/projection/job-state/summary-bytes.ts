import type { JobAnswer } from "../../explain/answer-document.ts";
import { withNamedDueTime, withoutNamedDueTime } from "./named-due-time.ts";
import { presentUsage } from "../../explain/usage/present-usage.ts";
import { type HourlyUsage, sumOfUsage } from "../../job/usage/usage.ts";
import { fromStored, type StoredSummary, toStored, usageInStored } from "./stored-summary.ts";
import { compressSummaries, decompressSummaries } from "./summary-codec.ts";
import type { JobRow } from "../../ports/job-row.ts";

/** Old rows contain plain JSON, which begins with a brace. */
const PLAIN_JSON = "{".charCodeAt(0);
/** A summary has no part that grows with the Job, except up to 4 KiB of labels and one message per finding. */
const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * Compresses the list entry of a Job to an eighth of its JSON text, 170 bytes for a usual Job. Together with the state,
 * a usual Job stays below 1 KB, the size of one DynamoDB write unit.
 */
export function packSummary(answer: JobAnswer, usage?: HourlyUsage): Uint8Array {
  return compressSummaries(JSON.stringify(withoutNamedDueTime(toStored(answer, usage))), "one");
}

/** The answer in a summary, without usage. Throws {@link SummaryUnreadableError} if `bytes` are not a summary. */
export function unpackSummary(bytes: Uint8Array): JobAnswer {
  return answerIn(storedIn(bytes));
}

/** A list entry with the exact sums of what the Pods of the Job reserved, if they are stored. */
export interface SummaryWithUsage {
  readonly answer: JobAnswer;
  readonly usage?: HourlyUsage;
}

/** The inverse of {@link packSummary}. Throws {@link SummaryUnreadableError} if `bytes` are not a summary. */
export function unpackWithUsage(bytes: Uint8Array): SummaryWithUsage {
  const stored = storedIn(bytes);
  const usage = usageIn(stored);
  return { answer: answerIn(stored), ...(usage !== undefined && { usage }) };
}

function usageIn(stored: StoredSummary): HourlyUsage | undefined {
  try {
    return usageInStored(stored);
  } catch (cause) {
    throw new SummaryUnreadableError(
      "Cannot read what a Job reserved: its bytes are damaged, or a later version wrote them. Update Outlive, or " +
        "rebuild the projection with `outlive replay`.",
      { cause },
    );
  }
}

function answerIn(stored: StoredSummary): JobAnswer {
  return fromStored(withNamedDueTime(stored));
}

function storedIn(bytes: Uint8Array): StoredSummary {
  const stored: unknown = JSON.parse(summaryText(bytes));
  if (isSummary(stored)) return stored;
  throw new SummaryUnreadableError(
    "A Job's summary has no verdict, findings or asOf. Rebuild the projection from the log with `outlive replay`.",
  );
}

export function isSummary(value: unknown): value is StoredSummary {
  return typeof value === "object" && value !== null && "verdict" in value && "findings" in value && "asOf" in value;
}

function summaryText(bytes: Uint8Array): string {
  const [codec] = bytes;
  if (codec === PLAIN_JSON) return Buffer.from(bytes).toString();
  const text = decompressed(bytes);
  if (text !== undefined) return text;
  throw new SummaryUnreadableError(
    `Cannot read the summary of a Job: it begins with byte ${codec ?? "none"}, and this version of Outlive reads 1, ` +
      "2 and JSON text. Update Outlive, or rebuild the projection with `outlive replay`.",
  );
}

function decompressed(bytes: Uint8Array): string | undefined {
  try {
    return decompressSummaries(bytes, MAX_TEXT_BYTES);
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
export function readSummary({ summary }: Pick<JobRow, "summary">, withUsage = false): JobAnswer {
  if (!withUsage) return unpackSummary(summary);
  const { answer, usage } = unpackWithUsage(summary);
  return usage === undefined ? answer : { ...answer, usage: presentUsage(sumOfUsage(usage.values())) };
}
