import { canonical } from "../../job/model/canonical.ts";
import type { CountingRules } from "../../job/accounting/counting-rules.ts";
import { compareOrder } from "../../job/model/order.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { type CountedPod, EMPTY_TALLY, type PodTally } from "../../job/accounting/pod-tally.ts";
import { lastTouch, MAX_FAIL_JOB, MAX_ORDERED, MAX_RECENT, MAX_SUCCESSES } from "../../job/accounting/tally-lists.ts";
import { addTally, subtractTally, tallyPods } from "../../job/accounting/tally.ts";
import type { PodChange } from "../pages/pod-pages.ts";

/**
 * The tally after some Pods changed: their old contribution is subtracted, the new one is added. `undefined` if all
 * Pods have to be counted again, because a bounded list lost a member and its successor is unknown.
 */
export function changeTally(
  tally: PodTally,
  changes: readonly PodChange[],
  rules: CountingRules,
): PodTally | undefined {
  const before = tallyPods(
    changes.flatMap((change) => (change.before === undefined ? [] : [change.before])),
    rules,
  );
  const after = tallyPods(
    changes.map((change) => change.after),
    rules,
  );
  if (
    LISTS.some(
      ([list, maxItems]) => tally[list].length >= maxItems && losesMember(tally[list], before[list], after[list]),
    )
  ) {
    return undefined;
  }
  if (tally.recent.length >= MAX_RECENT && losesRecent(tally.recent, before.recent, after.recent)) return undefined;
  return addTally(subtractTally(tally, before), after);
}

/** Counts Pods from a stream. */
export async function tallyAll(pods: AsyncIterable<PodRecord>, rules: CountingRules): Promise<PodTally> {
  let tally = EMPTY_TALLY;
  let some: PodRecord[] = [];
  for await (const pod of pods) {
    if (some.push(pod) < COUNTED_AT_ONCE) continue;
    tally = addTally(tally, tallyPods(some, rules));
    some = [];
  }
  return addTally(tally, tallyPods(some, rules));
}

const COUNTED_AT_ONCE = 4_096;

/** The bounded lists of a tally. A list that is shorter than its bound is complete. */
const LISTS = [
  ["failJob", MAX_FAIL_JOB],
  ["recentUponFailure", MAX_RECENT],
  ["successes", MAX_SUCCESSES],
  ["indexSuccesses", MAX_ORDERED],
  ["deletions", MAX_ORDERED],
] as const;

function losesMember(known: readonly unknown[], before: readonly unknown[], after: readonly unknown[]): boolean {
  const members = new Set(known.map(canonical));
  const left = count(after);
  return before.map(canonical).some((text) => {
    const rest = left.get(text) ?? 0;
    left.set(text, rest - 1);
    return rest <= 0 && members.has(text);
  });
}

/** Whether a recent Pod leaves the list. A Pod that only loses its finalizer moves up in the list. */
function losesRecent(
  known: readonly CountedPod[],
  before: readonly CountedPod[],
  after: readonly CountedPod[],
): boolean {
  const members = new Set(known.map(({ uid }) => uid));
  const left = new Map(after.map((pod) => [pod.uid, pod]));
  return before.some((pod) => {
    const now = left.get(pod.uid);
    return members.has(pod.uid) && (now === undefined || compareOrder(lastTouch(now), lastTouch(pod)) < 0);
  });
}

function count(members: readonly unknown[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const text of members.map(canonical)) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}
