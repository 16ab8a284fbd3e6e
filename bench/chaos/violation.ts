/** The promises that a run checks. */
export const RULES = [
  "a count is never above the truth",
  "a count never falls",
  "a final verdict never reverts",
  "a final verdict is true",
  "an answered Job is never forgotten",
  "a stale answer is marked",
  "no fact is lost between cluster and queue",
  "no fact is lost between queue and answer",
  "an answer that is complete is right",
  "the store is sound",
  "the path recovers",
] as const;
export type Rule = (typeof RULES)[number];

export interface Violation {
  readonly rule: Rule;
  /** Which Job of which cluster, or which part. */
  readonly subject: string;
  readonly detail: string;
}
