import type { JobAnswer } from "./answer.ts";
import type { JobRecord } from "./job-record.ts";
import { remediesFor } from "./remedies.ts";
import { answerLine } from "./why-answer.ts";
import { chainOf, type ChainEntry } from "./why-chain.ts";

/** Why a Job is what it is: the answer in one sentence, what it rests on, and what to do about it. */
export interface Why {
  readonly answer: string;
  /** In order of time, at most {@link MAX_CHAIN}. Empty for a Job that there is nothing to explain about. */
  readonly chain: readonly ChainEntry[];
  /** How many more facts it rests on; at least, where more Pods are concerned than findings name. */
  readonly omitted: { readonly count: number; readonly atLeast: boolean };
  readonly remedies: readonly string[];
}

/** More is not read, and not needed: what is left out repeats what is told. */
export const MAX_CHAIN = 40;

/** Explains an answer by the record it was made from. */
export function explain(answer: JobAnswer, record: JobRecord): Why {
  const { findings } = answer;
  if (isHealthy(answer)) {
    return { answer: answerLine(answer, record), chain: [], omitted: { count: 0, atLeast: false }, remedies: [] };
  }
  const chain = chainOf(answer, record, MAX_CHAIN);
  const unnamed = findings.some(({ pods = [], podCount = pods.length }) => podCount > pods.length);
  return {
    answer: answerLine(answer, record),
    chain: chain.entries,
    omitted: { count: chain.omitted, atLeast: unnamed },
    remedies: remediesFor(findings),
  };
}

/** Nothing was found, and the Job is on its way, or done, and still there. */
function isHealthy({ findings, verdict, deletedAt }: JobAnswer): boolean {
  if (findings.length > 0 || deletedAt !== undefined) return false;
  switch (verdict.state) {
    case "Pending":
    case "Running":
    case "Suspended":
    case "Complete":
      return true;
    case "Failed":
    case "Deleted":
    case "Unknown":
      return false;
  }
}
