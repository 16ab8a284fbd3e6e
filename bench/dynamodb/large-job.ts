import { largeJobFacts, podBeginFacts, podEndFacts } from "../../test/support/facts/large-job-facts.ts";
import type { TimedFact } from "./steady-jobs.ts";
import { shuffled } from "../measuring/shuffled.ts";

export interface LargeJob {
  readonly indexes: number;
  /** Pods that start per second; as many end. */
  readonly perSecond: number;
  /** The run time of a Pod. */
  readonly seconds: number;
}

/** An Indexed Job whose indexes succeed in random order, so that its sets are as fragmented as possible. */
export function largeJobTimeline({ indexes, perSecond, seconds }: LargeJob): readonly TimedFact[] {
  const order = shuffled(indexes);
  const facts: TimedFact[] = largeJobFacts({ indexed: true, completions: indexes }).map((fact) => ({ ms: 0, fact }));
  for (let number = 0; number < indexes; number += 1) {
    const begins = Math.floor((number * 1_000) / perSecond);
    for (const fact of podBeginFacts(number, order[number] ?? 0)) facts.push({ ms: begins, fact });
    for (const fact of podEndFacts(number)) facts.push({ ms: begins + seconds * 1_000, fact });
  }
  return facts.toSorted((a, b) => a.ms - b.ms);
}
