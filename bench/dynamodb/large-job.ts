import { largeJobFacts, podBeginFacts, podEndFacts } from "../../test/support/large-job-facts.ts";
import type { TimedFact } from "./steady-jobs.ts";

export interface LargeJob {
  readonly indexes: number;
  /** Pods that begin in a second; as many end. */
  readonly perSecond: number;
  /** How long a Pod runs. */
  readonly seconds: number;
}

/** An Indexed Job whose indexes succeed in the order of a shuffled deck, so that its sets are as ragged as they get. */
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

/** 0 to `count` - 1, in an order that looks random and is always the same. */
function shuffled(count: number): readonly number[] {
  const numbers = Array.from({ length: count }, (_, number) => number);
  let state = 1;
  for (let last = count - 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (last + 1));
    [numbers[last], numbers[other]] = [numbers[other] ?? 0, numbers[last] ?? 0];
  }
  return numbers;
}
