import type { CountingRules } from "../../job/accounting/counting-rules.ts";
import type { ClusterContext } from "../../job/model/cluster-context.ts";
import type { Evidence, PodRef } from "../../job/model/evidence.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobObject } from "../../job/model/job-record.ts";
import type { JobSpec } from "../../job/model/job-spec.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { JobStatus } from "../../job/status/job-status.ts";

/** A finding of one kind: its typed details and the evidence for them. It contains no text. */
export type FindingOf<Kind extends string, Details, Shows, Named extends PodRef = PodRef> = Details & {
  readonly kind: Kind;
  readonly since?: Instant;
  /** The first Pods concerned, by creation; at most 20. */
  readonly pods?: readonly Named[];
  /** The number of Pods concerned, including those that `pods` leaves out. */
  readonly podCount?: number;
  readonly evidence: readonly Evidence<Shows>[];
};

/** What every search knows about the Job before it visits the first Pod. */
export interface FindingContext {
  readonly job: JobObject;
  /** The current spec. */
  readonly spec: JobSpec;
  readonly rules: CountingRules;
  /** The derived status of the Job. */
  readonly status: JobStatus;
  readonly clusterContext: ClusterContext;
  readonly now: Instant;
  /**
   * Milliseconds without a change after which a running Pod is reported as possibly phantom-running. Unset means never,
   * because a long program looks the same.
   */
  readonly phantomAfter?: number;
}

/**
 * The search for one kind of finding. It visits every Pod of the Job once, in any order, so that a Job with a million
 * Pods is searched page by page. The result does not depend on the order.
 */
export interface FindingSearch<Found> {
  visit(pod: PodRecord): void;
  /**
   * The visitor of a further pass over all Pods, or `undefined` if the search needs none. Called after each pass. A
   * further pass answers questions that earlier passes raised without holding all Pods in memory.
   */
  nextPass?(): Visit | undefined;
  found(): readonly Found[];
}
export type Visit = (pod: PodRecord) => void;
export type Find<Found> = (context: FindingContext) => FindingSearch<Found>;
