import type { DerivedJob } from "../job/derived/derived-job.ts";
import { remediesFor } from "./explain-finding.ts";
import { answerLine } from "./why-answer.ts";
import { type ChainEntry, chainOf } from "./why-chain.ts";
import type { WhyPods } from "./why-pods.ts";

/** Why a Job is in its state: the answer in one sentence, the evidence, and how to fix it. */
export interface Why {
  readonly answer: string;
  /** In order of time, at most 40. Empty if there is nothing to explain. */
  readonly chain: readonly ChainEntry[];
  /** How many more facts the answer rests on; a lower bound if findings concern more Pods than they name. */
  readonly omitted: { readonly count: number; readonly atLeast: boolean };
  readonly remedies: readonly string[];
}

/** Explains a derived Job whose Pods have all been visited by `pods`. */
export function explainWhy(derived: DerivedJob, pods: WhyPods): Why {
  const { findings } = derived;
  const answer = answerLine(derived, pods);
  if (isHealthy(derived)) return { answer, chain: [], omitted: { count: 0, atLeast: false }, remedies: [] };
  const { entries, omitted } = chainOf(derived, pods);
  const hasUnnamed = findings.some(({ pods: named = [], podCount = named.length }) => podCount > named.length);
  return {
    answer,
    chain: entries,
    omitted: { count: omitted.count, atLeast: omitted.atLeast || hasUnnamed },
    remedies: remediesFor(findings),
  };
}

/** There are no findings, and the Job exists and is on its way or complete. */
function isHealthy({ findings, verdict, job }: DerivedJob): boolean {
  if (findings.length > 0 || (job.deleted ?? job.vanished) !== undefined) return false;
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
