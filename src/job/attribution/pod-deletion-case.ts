import type { Attribution, FactRef } from "../../explain/answer-document.ts";
import type { ClusterContext } from "../model/cluster-record.ts";
import type { PodDeleted, PodDeletionRequested } from "../model/fact.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import { compareOrder } from "../model/order.ts";
import { firstEnd } from "../model/outcome.ts";
import { endedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** A Pod's deletion and what is known around it. */
export interface PodDeletionCase {
  readonly pod: PodRecord;
  readonly job: JobObject;
  readonly clusterContext: ClusterContext;
  /** The first observation of its deletion; where nobody saw that, of the Pod being gone. */
  readonly asked: PodDeletionRequested | PodDeleted;
  /** When it was asked for; where nobody saw that, when the Pod was last heard of. */
  readonly at: Instant;
  /** The Pod had come to its end before. */
  readonly hadEnded: boolean;
  /** The deletion itself, as the first piece of evidence. */
  readonly evidence: FactRef;
}

/** One way in which a Pod may have been taken away; `undefined` where nothing tells that it was this one. */
export type PodDeletionCause = (deletion: PodDeletionCase) => Attribution | undefined;

/** Whether the Pod was over when it was asked to go; where both were seen at once, by its containers' own account. */
export function endedBefore(pod: PodRecord, asked: PodDeletionRequested | PodDeleted): boolean {
  const end = firstEnd(pod);
  if (end === undefined) return false;
  const order = compareOrder(end, asked);
  return order < 0 || (order === 0 && (endedAt(pod) ?? end.at) <= instantOf(asked));
}
