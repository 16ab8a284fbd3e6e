import type { Instant } from "./instant.ts";
import type { CronJobDeleted, CronJobObserved, GapRecorded, HintFact, NodeDeleted, NodeObserved } from "./fact.ts";

/** What is known of one Node over time: each stand of its Ready condition once, in order of `since`; and whether the object is gone. */
export interface NodeRecord {
  readonly node: string;
  /** At most {@link MAX_NODE_STANDS}, the latest by `since`. */
  readonly stands: readonly NodeObserved[];
  readonly deleted: readonly NodeDeleted[];
}
/** A Node that flaps more often than this in the life of a Job has a story nobody reads to its beginning. */
export const MAX_NODE_STANDS = 64;

export interface CronJobRecord {
  readonly cronJobUid: string;
  readonly observed?: CronJobObserved;
  readonly deleted?: CronJobDeleted;
}

/** Hints about one object (by kind, namespace and name), in the order they began. */
export interface HintRecord {
  readonly hints: readonly HintFact[];
}
/** The most Events and the most requests kept of one object: what is in between repeats what is known. */
export const MAX_HINTS = 32;

/** What an answer about one Job needs besides the Job's own record. */
export interface ClusterContext {
  /** Nodes the Job's Pods ran on, by name. */
  readonly nodes: ReadonlyMap<string, NodeRecord>;
  /** The CronJobs that own Jobs, by uid; without one that nobody saw. */
  readonly cronJobs?: ReadonlyMap<string, CronJobRecord>;
  /** Hints by {@link hintKey}. */
  readonly hints: ReadonlyMap<string, readonly HintFact[]>;
  /** The gap records of the cluster. */
  readonly gaps: readonly GapRecorded[];
  /** The server's version, where it is known: "v1.24.17". */
  readonly serverVersion?: string;
  /** When the cluster was last heard of: its latest heartbeat. */
  readonly heardAt?: Instant;
}

/** One name for the object a hint is about: uids are often missing from audit events. */
export function hintKey(target: { readonly kind: string; readonly namespace: string; readonly name: string }): string {
  return `${target.kind}/${target.namespace}/${target.name}`;
}
