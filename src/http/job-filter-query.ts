import * as v from "valibot";
import type { JobFilter } from "../query/list-jobs.ts";
import {
  clusterParameter,
  fieldSelectorParameter,
  flagParameter,
  instantParameter,
  labelSelectorParameter,
  statesParameter,
  textParameter,
} from "./parameters.ts";

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
  finishedAfter: v.exactOptional(instantParameter("Finished later than this.")),
  finishedBefore: v.exactOptional(instantParameter("Finished before this.")),
  attention: v.exactOptional(flagParameter("true: only Jobs that need a person.")),
};

type JobFilterQuery = v.InferOutput<v.ObjectSchema<typeof JOB_FILTER_QUERY, undefined>>;

export function readJobFilter(query: JobFilterQuery): JobFilter {
  return {
    cluster: query.cluster,
    namespace: query.namespace,
    name: query.name,
    states: query.state,
    labels: query.labelSelector,
    fields: query.fieldSelector,
    owner: query.owner,
    createdAfter: query.createdAfter,
    createdBefore: query.createdBefore,
    finishedAfter: query.finishedAfter,
    finishedBefore: query.finishedBefore,
    attention: query.attention,
  };
}
