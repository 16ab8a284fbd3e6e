import { type SummaryAnswer, SummaryTallies } from "./summary.ts";

/**
 * The sum of summaries of different Jobs, each with `durationBuckets`. Percentiles are the middles of their buckets. A
 * group that one of them omitted has no Jobs of it here.
 */
export function mergeSummaries(summaries: readonly SummaryAnswer[]): SummaryAnswer {
  const tallies = new SummaryTallies();
  const isGrouped = summaries.some(({ groups }) => groups !== undefined);
  let omitted = 0;
  for (const { groups = [], groupsOmitted = 0, ...total } of summaries) {
    omitted += groupsOmitted;
    for (const tally of tallies.of(undefined)) tally.addCounts(total);
    for (const { key, ...counts } of groups) tallies.ofGroup(key).addCounts(counts);
  }
  const answer = tallies.answer(isGrouped);
  const allOmitted = omitted + (answer.groupsOmitted ?? 0);
  return {
    ...answer,
    ...(allOmitted > 0 && { groupsOmitted: allOmitted }),
    ...asOf(summaries),
    ...completenessOf(summaries),
  };
}

/** As old as the oldest of the stored counts. */
function asOf(summaries: readonly SummaryAnswer[]): Pick<SummaryAnswer, "asOf"> {
  const [time] = summaries.flatMap((summary) => summary.asOf?.time ?? []).sort();
  return time === undefined ? {} : { asOf: { time } };
}

/** The sum is exact from where the least complete summary is. */
function completenessOf(summaries: readonly SummaryAnswer[]): Pick<SummaryAnswer, "complete" | "partial"> {
  const since = summaries
    .flatMap(({ partial }) => partial?.since ?? [])
    .sort()
    .at(-1);
  if (since !== undefined) return { complete: false, partial: { since } };
  return { complete: summaries.every(({ complete }) => complete) };
}
