import type { JobAnswer } from "../../explain/answer-document.ts";
import type { HourlyUsage } from "../../job/usage/usage.ts";
import { type AnswerWithoutLineage, withLineage, withoutLineage } from "./stored-lineage.ts";
import { decodeUsage, encodeUsage } from "./usage-bytes.ts";
import { type StoredCause, withoutUsualResponsibility, withUsualResponsibility } from "./usual-responsibility.ts";

/** A summary as it is stored: without what follows from its other fields, or is usual. */
export type StoredSummary = Omit<AnswerWithoutLineage, "cause" | "usage"> & {
  readonly cause?: StoredCause;
  /** What its Pods reserved, exactly and by hour, in base64 without padding. */
  readonly usage?: string;
};

export function toStored(answer: JobAnswer, usage?: HourlyUsage): StoredSummary {
  const { cause, usage: _, ...stored } = withoutLineage(answer);
  return {
    ...stored,
    ...(cause !== undefined && { cause: withoutUsualResponsibility(cause) }),
    ...(usage !== undefined && { usage: Buffer.from(encodeUsage(usage)).toString("base64url") }),
  };
}

/** The inverse of {@link toStored}, without what its Pods reserved. */
export function fromStored({ cause, usage: _usage, ...stored }: StoredSummary): JobAnswer {
  return withLineage({ ...stored, ...(cause !== undefined && { cause: withUsualResponsibility(cause) }) });
}

/** What the Pods reserved; `undefined` if that is not stored. */
export function usageInStored({ usage }: StoredSummary): HourlyUsage | undefined {
  return usage === undefined ? undefined : decodeUsage(Buffer.from(usage, "base64"));
}
