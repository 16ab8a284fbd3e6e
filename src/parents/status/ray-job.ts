import { parseInstant } from "../../job/model/instant.ts";
import { type ReportedState, restartsIn, type Seen, type WatchedStatus } from "./watched-status.ts";

const STATES: ReadonlyMap<string, ReportedState["state"]> = new Map([
  ["Complete", "Complete"],
  ["Failed", "Failed"],
  ["ValidationFailed", "Failed"],
  ["Suspended", "Suspended"],
]);

/** ray.io (KubeRay 1.6, apis/ray/v1/rayjob_types.go). Each try has a job id and a RayCluster of its own. */
export const RAY_JOB: WatchedStatus = {
  kind: "RayJob",
  resource: "rayjobs.ray.io",
  apiVersions: ["ray.io/v1"],
  fields: {
    jobId: "status.jobId",
    jobStatus: "status.jobStatus",
    jobDeploymentStatus: "status.jobDeploymentStatus",
    reason: "status.reason",
    startTime: "status.startTime",
    endTime: "status.endTime",
    failed: "status.failed",
    backoffLimit: "spec.backoffLimit",
  },
  instants: ["startTime", "endTime"],
  attempt: ({ jobId }) => jobId,
  // The last failed try starts no other one.
  restarts: ({ failed, backoffLimit }) => {
    const { used, limit } = restartsIn(failed, backoffLimit);
    if (used === undefined || limit === undefined) return {};
    return { used: Math.min(used, limit), limit };
  },
  jobsBy: "creation",
  state,
  attemptState: ({ fields: { jobStatus, jobDeploymentStatus } }) => {
    if (jobStatus === "SUCCEEDED") return "Complete";
    const isFailed = jobStatus === "FAILED" || jobStatus === "STOPPED" || jobDeploymentStatus === "Failed";
    return isFailed ? "Failed" : undefined;
  },
};

/** A deployment can be Complete although the work of Ray failed. */
function state({ fields }: Seen): ReportedState | undefined {
  const { jobStatus, jobDeploymentStatus = "", reason, endTime } = fields;
  const reported = STATES.get(jobDeploymentStatus);
  if (reported === undefined) return undefined;
  const isFailed = reported === "Complete" && (jobStatus === "FAILED" || jobStatus === "STOPPED");
  const since = parseInstant(endTime);
  return {
    state: isFailed ? "Failed" : reported,
    ...(reason !== undefined && { reason }),
    ...(since !== undefined && { since }),
  };
}
