import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { instantAt } from "../../query/list/given-time.ts";
import { type JobFilter, emptyRange, type TimeBounds } from "../../query/list/job-filter.ts";
import {
  clusterParameter,
  fieldSelectorParameter,
  flagParameter,
  timeParameter,
  labelSelectorParameter,
  nameParameter,
  statesParameter,
  textParameter,
} from "../contract/parameters.ts";
import { type Problem, problem } from "../contract/problem.ts";

/** The filters for Jobs that lists, summaries and changes share. */
export const JOB_FILTER_QUERY = {
  cluster: v.exactOptional(clusterParameter),
  namespace: v.exactOptional(nameParameter("Only Jobs in this namespace. Defaults to all namespaces.")),
  name: v.exactOptional(nameParameter("Only Jobs with exactly this name.")),
  state: v.exactOptional(statesParameter),
  labelSelector: v.exactOptional(labelSelectorParameter),
  fieldSelector: v.exactOptional(fieldSelectorParameter),
  owner: v.exactOptional(textParameter("Only Jobs of this owner: its name, `Kind/name`, or uid.")),
  run: v.exactOptional(
    textParameter(
      "Only Jobs of this run: `Kind/name`, its name, or uid. In lists and summaries of one namespace, `Kind/name` is " +
        "the newest run of that name. Otherwise, every run that had it.",
    ),
  ),
  createdAfter: v.exactOptional(timeParameter("Only Jobs created after this time.")),
  createdBefore: v.exactOptional(timeParameter("Only Jobs created before this time.")),
  startedAfter: v.exactOptional(timeParameter("Only Jobs started after this time.")),
  startedBefore: v.exactOptional(timeParameter("Only Jobs started before this time.")),
  finishedAfter: v.exactOptional(timeParameter("Only Jobs finished after this time.")),
  finishedBefore: v.exactOptional(timeParameter("Only Jobs finished before this time.")),
  deletedAfter: v.exactOptional(timeParameter("Only Jobs deleted after this time.")),
  deletedBefore: v.exactOptional(timeParameter("Only Jobs deleted before this time.")),
  waiting: v.exactOptional(flagParameter("`true`: only Jobs that wait, with why and since when in `waiting`.")),
  attention: v.exactOptional(flagParameter("`true`: only Jobs with findings that need attention.")),
};

type JobFilterQuery = v.InferOutput<v.ObjectSchema<typeof JOB_FILTER_QUERY, undefined>>;

export type ReadJobFilter =
  | {
      readonly outcome: "read";
      readonly filter: JobFilter;
      /** The filter with times as the reader wrote them, which stay the same for every page of a list. */
      readonly written: unknown;
    }
  | { readonly outcome: "refused"; readonly problem: Problem };

/**
 * Builds the filter from the parameters. Durations count back from `now`. A time range that ends before it begins is
 * invalid.
 */
export function readJobFilter(
  { state, labelSelector, fieldSelector, ...same }: JobFilterQuery,
  now: Instant,
): ReadJobFilter {
  const written = { ...same, states: state, labels: labelSelector, fields: fieldSelector };
  const filter = { ...written, ...timesOf(same, now) };
  const empty = emptyRangeProblem(filter, "Job");
  return empty === undefined ? { outcome: "read", filter, written } : { outcome: "refused", problem: empty };
}

type GivenTimes = Pick<JobFilterQuery, keyof TimeBounds>;

export function timesOf(given: GivenTimes, now: Instant): Required<TimeBounds> {
  return {
    createdAfter: instantAt(given.createdAfter, now),
    createdBefore: instantAt(given.createdBefore, now),
    startedAfter: instantAt(given.startedAfter, now),
    startedBefore: instantAt(given.startedBefore, now),
    finishedAfter: instantAt(given.finishedAfter, now),
    finishedBefore: instantAt(given.finishedBefore, now),
    deletedAfter: instantAt(given.deletedAfter, now),
    deletedBefore: instantAt(given.deletedBefore, now),
  };
}

/** The problem of a time range that ends before it begins. */
export function emptyRangeProblem(bounds: TimeBounds, of: "Job" | "run"): Problem | undefined {
  const what = emptyRange(bounds)?.slice(0, -"At".length);
  if (what === undefined) return undefined;
  const detail = `is not later than ${what}After, so no ${of} can match: exchange the two values`;
  return problem("bad-parameter", `Parameter "${what}Before" (query) ${detail}.`, [
    { in: "query", name: `${what}Before`, detail },
  ]);
}
