/**
 * The fields of a Job's spec on which its status depends, with their names in `batch/v1` and the defaults that the API
 * server sets.
 */
export interface JobSpec {
  readonly parallelism: number;
  /** Absent: a work queue (job-semantics 4). */
  readonly completions?: number;
  /**
   * "NonIndexed" or "Indexed". An unknown mode is kept; nothing is computed for such a Job, as upstream does not sync
   * it.
   */
  readonly completionMode: string;
  readonly backoffLimit: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend: boolean;
  /** Absent on servers before 1.28; then the default of job-semantics 1 applies. */
  readonly podReplacementPolicy?: string;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly successPolicy?: SuccessPolicy;
  readonly managedBy?: string;
  /** `spec.template.spec.restartPolicy`. */
  readonly restartPolicy: string;
  /** `spec.template.spec.activeDeadlineSeconds`: the deadline of a Pod, not of the Job. */
  readonly podActiveDeadlineSeconds?: number;
  /**
   * A hash of the requests and limits in `spec.template.spec`: it only shows whether two Jobs have the same ones.
   * Absent: the template names none, or an earlier release recorded the Job.
   */
  readonly resources?: string;
}

export interface PodFailurePolicy {
  readonly rules: readonly PodFailurePolicyRule[];
}
export interface PodFailurePolicyRule {
  readonly action: string;
  readonly onExitCodes?: {
    readonly containerName?: string;
    readonly operator: string;
    readonly values: readonly number[];
  };
  readonly onPodConditions?: readonly { readonly type: string; readonly status: string }[];
}
export interface SuccessPolicy {
  readonly rules: readonly { readonly succeededIndexes?: string; readonly succeededCount?: number }[];
}
