import * as v from "valibot";
import { type JobFilter, turnedRange } from "../../query/list/job-filter.ts";
import {
  clusterParameter,
  fieldSelectorParameter,
  flagParameter,
  instantParameter,
  labelSelectorParameter,
  statesParameter,
  textParameter,
} from "../contract/parameters.ts";
import { type Problem, problem } from "../contract/problem.ts";

/** The filters over Jobs, shared by the list and the summary. */
export const JOB_FILTER_QUERY = {
  cluster: v.exactOptional(clusterParameter),
  namespace: v.exactOptional(textParameter("Namespace of the Jobs; all of them unless said.")),
  name: v.exactOptional(textParameter("Exact name: every incarnation of it.")),
  state: v.exactOptional(statesParameter),
  labelSelector: v.exactOptional(labelSelectorParameter),
  fieldSelector: v.exactOptional(fieldSelectorParameter),
  owner: v.exactOptional(textParameter("The controller that owns the Job: its name, kind/name, or uid.")),
  createdAfter: v.exactOptional(instantParameter("Created later than this.")),
  createdBefore: v.exactOptional(instantParameter("Created before this.")),
  startedAfter: v.exactOptional(instantParameter("Started later than this.")),
  startedBefore: v.exactOptional(instantParameter("Started before this.")),
  finishedAfter: v.exactOptional(instantParameter("Finished later than this.")),
  finishedBefore: v.exactOptional(instantParameter("Finished before this.")),
  deletedAfter: v.exactOptional(instantParameter("Deleted later than this.")),
  deletedBefore: v.exactOptional(instantParameter("Deleted before this.")),
  attention: v.exactOptional(flagParameter("true: only Jobs that need a person.")),
};

type JobFilterQuery = v.InferOutput<v.ObjectSchema<typeof JOB_FILTER_QUERY, undefined>>;

export type ReadJobFilter =
  | { readonly outcome: "read"; readonly filter: JobFilter }
  | { readonly outcome: "refused"; readonly problem: Problem };

/** The filter that the parameters say; a range of time that ends before it begins is refused. */
export function readJobFilter({ state, labelSelector, fieldSelector, ...same }: JobFilterQuery): ReadJobFilter {
  const filter: JobFilter = { ...same, states: state, labels: labelSelector, fields: fieldSelector };
  const turned = turnedRange(filter);
  return turned === undefined ? { outcome: "read", filter } : { outcome: "refused", problem: turnedAround(turned) };
}

function turnedAround(of: NonNullable<ReturnType<typeof turnedRange>>): Problem {
  const what = of.slice(0, -"At".length);
  const detail = `ends the range before ${what}After begins it, so no Job can be in it: exchange the two`;
  return problem("bad-parameter", `Parameter "${what}Before" (query) ${detail}.`, [
    { in: "query", name: `${what}Before`, detail },
  ]);
}
