import { causedAt } from "./cause-groups.ts";
import type { ClusterContext } from "../model/cluster-context.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import { goneBy, unreadyBetween } from "../model/node-readiness.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { finishedAt } from "../status/job-ending.ts";

interface Failures {
  /** When the first Pod failed on the node. */
  readonly failedAt: Instant;
  /** When the last of the Pods that failed on it was created. */
  readonly createdAt: Instant;
}

/** Nodes that failed Pods of one Job, and are likely to fail the next one. Visits the failed Pods in any order. */
export class UnfitNodes {
  readonly #failures = new Map<string, Failures>();
  readonly #context: { readonly job: JobObject; readonly clusterContext: ClusterContext };

  constructor(context: { readonly job: JobObject; readonly clusterContext: ClusterContext }) {
    this.#context = context;
  }

  visit(pod: PodRecord): void {
    const node = pod.scheduled?.node;
    if (node === undefined) return;
    const { failedAt, createdAt } = this.#failures.get(node) ?? { failedAt: Infinity, createdAt: 0 };
    this.#failures.set(node, {
      failedAt: Math.min(failedAt, causedAt(pod)),
      createdAt: Math.max(createdAt, pod.created?.createdAt ?? 0),
    });
  }

  /** A Pod failed on the node, was replaced there, and failed again; or the node was not ready when the Job ended. */
  has(node: string | undefined): boolean {
    if (node === undefined) return false;
    const failures = this.#failures.get(node);
    return (failures !== undefined && failures.createdAt > failures.failedAt) || this.#isUnready(node);
  }

  /** As of the Job's end: what the node does later changes no answer. A node that is gone gets no Pod. */
  #isUnready(node: string): boolean {
    const { job, clusterContext } = this.#context;
    const until = finishedAt(job) ?? (job.deleted === undefined ? Infinity : instantOf(job.deleted));
    if (goneBy(node, until, clusterContext) !== undefined) return false;
    return unreadyBetween(node, { from: until, to: until }, clusterContext) !== undefined;
  }
}
