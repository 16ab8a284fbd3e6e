import { JOB_SET } from "./job-set.ts";
import { stateByCondition, type WatchedStatus } from "./watched-status.ts";

/** trainer.kubeflow.org (Kubeflow Trainer 2). */
export const TRAIN_JOB: WatchedStatus = {
  kind: "TrainJob",
  resource: "trainjobs.trainer.kubeflow.org",
  apiVersions: ["trainer.kubeflow.org/v1alpha1"],
  fields: {},
  attempt: () => undefined,
  jobsBy: "number",
  startsJobsBy: [JOB_SET.resource],
  state: (seen) =>
    stateByCondition(seen, [
      ["Complete", "Complete"],
      ["Failed", "Failed"],
      ["Suspended", "Suspended"],
    ]),
  attemptState: () => undefined,
};
