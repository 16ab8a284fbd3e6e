import type { ClusterContext } from "../model/cluster-context.ts";
import type { Evidence } from "../model/evidence.ts";
import type { PodDeleted, PodDeletionRequested } from "../model/fact.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import { compareOrder } from "../model/order.ts";
import { firstEnd } from "../model/outcome.ts";
import { endedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Attribution, DeletionShows } from "./attribution.ts";

/** A Pod's deletion and what is known around it. */
export interface PodDeletionCase {
  readonly pod: PodRecord;
  readonly job: JobObject;
  readonly clusterContext: ClusterContext;
  /** The first observation of the deletion request or, if there is none, the first one that the Pod is gone. */
  readonly deletion: PodDeletionRequested | PodDeleted;
  /** When the deletion was requested; if that was not observed, the last instant that the Pod names. */
  readonly at: Instant;
  /** The Pod had ended before. */
  readonly hadEnded: boolean;
  /** The deletion as evidence. */
  readonly evidence: Evidence<DeletionShows>;
}

/** One possible cause of a deletion; `undefined` if nothing shows it. */
export type InferDeletion = (known: PodDeletionCase) => Attribution | undefined;

/**
 * Whether the Pod had ended before the deletion. The resourceVersions decide. If both were first observed together, the
 * grace period does, and then the times of the containers: a Pod that has ended gets no grace period.
 */
export function endedBefore(pod: PodRecord, deletion: PodDeletionRequested | PodDeleted): boolean {
  const end = firstEnd(pod);
  if (end === undefined) return false;
  const order = compareOrder(end, deletion);
  if (order !== 0) return order < 0;
  if (deletion.kind === "PodDeletionRequested" && deletion.graceSeconds > 0) return false;
  return (endedAt(pod) ?? end.at) <= instantOf(deletion);
}
