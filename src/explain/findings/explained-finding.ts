import type { FactRef } from "../answer-document.ts";

/** The text of a finding. */
export interface ExplainedFinding {
  /** One sentence. */
  readonly message: string;
  readonly evidence: readonly FactRef[];
  /** How to fix it: sentences in the imperative. */
  readonly remedies: readonly string[];
}

export type Explain<Found> = (finding: Found) => ExplainedFinding;
