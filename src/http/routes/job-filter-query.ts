import * as v from "valibot";
import { type JobFilter, emptyRange } from "../../query/list/job-filter.ts";
import {
  clusterParameter,
  fieldSelectorParameter,
  flagParameter,
  instantParameter,
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
  createdAfter: v.exactOptional(instantParameter("Only Jobs created after this time.")),
  createdBefore: v.exactOptional(instantParameter("Only Jobs created before this time.")),
  startedAfter: v.exactOptional(instantParameter("Only Jobs started after this time.")),
  startedBefore: v.exactOptional(instantParameter("Only Jobs started before this time.")),
  finishedAfter: v.exactOptional(instantParameter("Only Jobs finished after this time.")),
  finishedBefore: v.exactOptional(instantParameter("Only Jobs finished before this time.")),
  deletedAfter: v.exactOptional(instantParameter("Only Jobs deleted after this time.")),
  deletedBefore: v.exactOptional(instantParameter("Only Jobs deleted before this time.")),
  waiting: v.exactOptional(flagParameter("`true`: only Jobs that wait, with why and since when in `waiting`.")),
  attention: v.exactOptional(flagParameter("`true`: only Jobs with findings that need attention.")),
};

type JobFilterQuery = v.InferOutput<v.ObjectSchema<typeof JOB_FILTER_QUERY, undefined>>;

export type ReadJobFilter =
  | { readonly outcome: "read"; readonly filter: JobFilter }
  | { readonly outcome: "refused"; readonly problem: Problem };

/** Builds the filter from the parameters. A time range that ends before it begins is invalid. */
export function readJobFilter({ state, labelSelector, fieldSelector, ...same }: JobFilterQuery): ReadJobFilter {
  const filter: JobFilter = { ...same, states: state, labels: labelSelector, fields: fieldSelector };
  const empty = emptyRange(filter);
  return empty === undefined ? { outcome: "read", filter } : { outcome: "refused", problem: emptyRangeProblem(empty) };
}

function emptyRangeProblem(field: NonNullable<ReturnType<typeof emptyRange>>): Problem {
  const what = field.slice(0, -"At".length);
  const detail = `is not later than ${what}After, so no Job can match: exchange the two values`;
  return problem("bad-parameter", `Parameter "${what}Before" (query) ${detail}.`, [
    { in: "query", name: `${what}Before`, detail },
  ]);
}
