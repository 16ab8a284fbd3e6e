import { restartsIn, stateByCondition, type WatchedStatus } from "./watched-status.ts";

/** `jobset failed due to one or more job failures (first failed job: train-worker-1)`. */
const FIRST_FAILED = /\(first failed job: ([a-z0-9.-]{1,253})\)$/;

/** jobset.x-k8s.io (JobSet 0.12, api/jobset/v1alpha2/jobset_types.go). */
export const JOB_SET: WatchedStatus = {
  kind: "JobSet",
  resource: "jobsets.jobset.x-k8s.io",
  apiVersions: ["jobset.x-k8s.io/v1alpha2"],
  fields: {
    restarts: "status.restarts",
    restartsCounted: "status.restartsCountTowardsMax",
    maxRestarts: "spec.failurePolicy.maxRestarts",
  },
  details: ({ message }) => {
    const [, firstFailedJob] = FIRST_FAILED.exec(message) ?? [];
    return firstFailedJob === undefined ? undefined : { firstFailedJob };
  },
  attempt: ({ restarts = "0" }) => (/^[0-9]{1,9}$/.test(restarts) ? restarts : "0"),
  jobsBy: "number",
  state: (seen) =>
    stateByCondition(seen, [
      ["Completed", "Complete"],
      ["Failed", "Failed"],
      ["Suspended", "Suspended"],
    ]),
  restarts: ({ restartsCounted, maxRestarts }) => restartsIn(restartsCounted, maxRestarts),
  attemptState: () => undefined,
};
