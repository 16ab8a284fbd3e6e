import type { Finding } from "../../explain/answer-document.ts";
import type { JobStatus } from "../status/job-status.ts";
import type { ClusterContext } from "../model/cluster-record.ts";
import type { CountingRules } from "../accounting/counting-rules.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** What every search knows of the Job before it sees the first Pod. */
export interface FindingContext {
  readonly job: JobObject;
  /** What the Job is to do now. */
  readonly spec: JobSpec;
  readonly rules: CountingRules;
  /** The Job's status as it follows from all facts. */
  readonly status: JobStatus;
  readonly clusterContext: ClusterContext;
  readonly now: Instant;
  /** Milliseconds without a change after which a Pod that runs is suspected of being a phantom; none is unless it is said, for a long program looks the same. */
  readonly phantomAfter?: number;
}

/**
 * The search for one kind of finding. It is shown every Pod of the Job once, in any order, so that a Job of a million Pods is searched
 * page by page; what it finds does not depend on that order.
 */
export interface FindingSearch {
  look(pod: PodRecord): void;
  /**
   * Asked when every Pod was shown, and again after each further look: how to look at them all once more, where the looks before raised a question that
   * only that can answer (holding the Pods instead would take the memory of a million of them). Absent, or `undefined`, where there is none.
   */
  again?(): Look | undefined;
  found(): readonly Finding[];
}
export type Look = (pod: PodRecord) => void;
export type Find = (context: FindingContext) => FindingSearch;
