/** The resources whose deletions in audit logs are kept. */
export const AUDITED_KINDS = { jobs: "Job", pods: "Pod", nodes: "Node", cronjobs: "CronJob" } as const;
/** The verbs of requests that delete objects. An eviction creates the subresource `eviction` of a Pod. */
export const DELETING_VERBS = ["delete", "deletecollection"] as const;
export const EVICTION = "eviction";
