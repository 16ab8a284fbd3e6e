import { RUN_STATUSES } from "../../parents/status/statuses.ts";

/** The kinds of the resources whose deletions in audit logs are kept. Those of runs are `plural.group`. */
export const AUDITED_KINDS: ReadonlyMap<string, string> = new Map([
  ["jobs", "Job"],
  ["pods", "Pod"],
  ["nodes", "Node"],
  ["cronjobs", "CronJob"],
  ...RUN_STATUSES.map(({ resource, kind }) => [resource, kind] as const),
]);
/** The verbs of requests that delete objects. An eviction creates the subresource `eviction` of a Pod. */
export const DELETING_VERBS = ["delete", "deletecollection"] as const;
export const EVICTION = "eviction";
