/** A controller reference as an object carries it. */
export interface ControllerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly uid: string;
  readonly controller: boolean;
}

/** A Pod in the eyes of a Job that looks for its own. */
export interface OwnedPod {
  readonly owner?: ControllerReference;
  readonly labels: Readonly<Record<string, string>>;
  readonly finalizer: boolean;
}

export interface OwningJob {
  readonly uid: string;
  /** `spec.selector.matchLabels`. */
  readonly selector: Readonly<Record<string, string>>;
  readonly deleting: boolean;
}

/**
 * What becomes of a Pod: it is the Job's, the Job takes it (and puts the finalizer on), the Job lets it go, or it is
 * none of the Job's business.
 */
export type Claim = "owned" | "adopted" | "released" | "foreign";

/** Whose Pod it is (job-semantics 11): by the controller's uid, never by name or label alone. */
export function claimPod(job: OwningJob, pod: OwnedPod): Claim {
  const matches = Object.entries(job.selector).every(([key, value]) => pod.labels[key] === value);
  if (pod.owner?.controller === true) {
    if (!isJobReference(pod.owner) || pod.owner.uid !== job.uid) return "foreign";
    return matches ? "owned" : "released";
  }
  return matches && !job.deleting ? "adopted" : "foreign";
}

/** The Job that controls an orphan, as the controller finds it. */
export interface ControllingJob {
  readonly uid: string;
  readonly finished: boolean;
  readonly managedElsewhere?: boolean;
}

/**
 * Whether the controller takes the finalizer off a Pod without counting it: the Pod has no owner, or its Job is gone or
 * finished (job-semantics 11).
 */
export function losesFinalizerUncounted(
  owner: ControllerReference | undefined,
  job: ControllingJob | undefined,
): boolean {
  if (owner?.controller !== true) return true;
  if (!isJobReference(owner)) return false;
  if (job === undefined || job.uid !== owner.uid) return true;
  return job.finished && job.managedElsewhere !== true;
}

function isJobReference({ apiVersion, kind }: ControllerReference): boolean {
  return apiVersion === "batch/v1" && kind === "Job";
}
