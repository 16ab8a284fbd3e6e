import type { Owner, Stamp } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";

/**
 * One observation of an object that Jobs belong to, or that admits them: a JobSet, a RayJob, a TrainJob, a Workload of
 * Kueue.
 */
export interface ParentObserved extends Stamp {
  readonly kind: "ParentObserved";
  readonly of: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly createdAt: Instant;
  readonly owner?: Owner;
  /** Labels and annotations that name what it belongs to. */
  readonly labels: Readonly<Record<string, string>>;
  /** What its kind names, as text. */
  readonly fields: Readonly<Record<string, string>>;
  readonly conditions: readonly ParentCondition[];
}

export interface ParentCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  /** What answers need of its message. */
  readonly details?: Readonly<Record<string, string>>;
  readonly lastTransitionAt?: Instant;
}

/** The object was removed: a DELETED event. */
export interface ParentDeleted extends Stamp {
  readonly kind: "ParentDeleted";
  readonly of: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}
