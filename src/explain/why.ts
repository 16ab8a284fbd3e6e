import type { JobAnswer } from "./answer-document.ts";
import type { ClusterContext } from "../job/model/cluster-record.ts";
import type { JobRecord } from "../job/model/job-record.ts";
import { remediesFor } from "./remedies.ts";
import { answerLine } from "./why-answer.ts";
import { chainOf, type ChainEntry } from "./why-chain.ts";
import { WhyPods } from "./why-pods.ts";

/** Why a Job is what it is: the answer in one sentence, what it rests on, and what to do about it. */
export interface Why {
  readonly answer: string;
  /** In order of time, at most 40. Empty for a Job that there is nothing to explain about. */
  readonly chain: readonly ChainEntry[];
  /** How many more facts it rests on; at least, where more Pods are concerned than findings name. */
  readonly omitted: { readonly count: number; readonly atLeast: boolean };
  readonly remedies: readonly string[];
}

/** Explains an answer by the Job it is about, whose Pods were all shown to `pods`. */
export function explain(answer: JobAnswer, pods: WhyPods): Why {
  const { findings } = answer;
  const line = answerLine(answer, pods);
  if (isHealthy(answer)) return { answer: line, chain: [], omitted: { count: 0, atLeast: false }, remedies: [] };
  const { entries, omitted } = chainOf(answer, pods);
  const unnamed = findings.some(({ pods: named = [], podCount = named.length }) => podCount > named.length);
  return {
    answer: line,
    chain: entries,
    omitted: { count: omitted.count, atLeast: omitted.atLeast || unnamed },
    remedies: remediesFor(findings),
  };
}

/** Explains an answer by the record it was made from. */
export function explainRecord(answer: JobAnswer, { job, pods }: JobRecord, clusterContext: ClusterContext): Why {
  const seen = new WhyPods(job, clusterContext);
  for (const pod of pods.values()) seen.look(pod);
  return explain(answer, seen);
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
