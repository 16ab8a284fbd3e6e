/** The part of a Job's spec that decides its status, spelled as `batch/v1` spells it, with the API server's defaults filled in where it fills them. */
export interface JobSpec {
  readonly parallelism: number;
  /** Absent: a work queue (job-semantics 4). */
  readonly completions?: number;
  /** "NonIndexed" or "Indexed"; an unknown mode is kept as it is, and the Job is left alone as upstream leaves it. */
  readonly completionMode: string;
  readonly backoffLimit: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend: boolean;
  /** Absent on servers before 1.28; then the default of job-semantics 1 holds. */
  readonly podReplacementPolicy?: string;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly successPolicy?: SuccessPolicy;
  readonly managedBy?: string;
  /** `spec.template.spec.restartPolicy`. */
  readonly restartPolicy: string;
  /** `spec.template.spec.activeDeadlineSeconds`: the Pod's deadline, easily mistaken for the Job's. */
  readonly podActiveDeadlineSeconds?: number;
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
