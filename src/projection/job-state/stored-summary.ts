import type { JobAnswer } from "../../explain/answer-document.ts";
import { type AnswerWithoutLineage, withLineage, withoutLineage } from "./stored-lineage.ts";
import { type StoredCause, withoutUsualResponsibility, withUsualResponsibility } from "./usual-responsibility.ts";

/** A summary as it is stored: without what follows from its other fields, or is usual. */
export type StoredSummary = Omit<AnswerWithoutLineage, "cause"> & { readonly cause?: StoredCause };

export function toStored(answer: JobAnswer): StoredSummary {
  const { cause, ...stored } = withoutLineage(answer);
  return { ...stored, ...(cause !== undefined && { cause: withoutUsualResponsibility(cause) }) };
}

/** The inverse of {@link toStored}. */
export function fromStored({ cause, ...stored }: StoredSummary): JobAnswer {
  return withLineage({ ...stored, ...(cause !== undefined && { cause: withUsualResponsibility(cause) }) });
}
