import type { Instant } from "./instant.ts";
import type {
  CronJobDeleted,
  CronJobObserved,
  GapRecorded,
  HintFact,
  NamespaceDeleted,
  NamespaceObserved,
  NodeDeleted,
  NodeObserved,
} from "./fact.ts";

/**
 * The history of a Node: each state of its Ready condition once (a stand), in order of `since`, and the deletions and
 * labels of the Node objects of this name.
 */
export interface NodeRecord {
  readonly node: string;
  /** At most {@link MAX_NODE_STANDS}, the latest by `since`. */
  readonly stands: readonly NodeObserved[];
  readonly deleted: readonly NodeDeleted[];
  /**
   * The first observation of each Node object with each set of labels, in order of the creation of the objects. At most
   * {@link MAX_NODE_LABELS}, the latest. Absent in records of earlier releases.
   */
  readonly labelled?: readonly NodeObserved[];
  /**
   * The first observation of each set of lifecycle conditions, in order of the latest transition. At most
   * {@link MAX_NODE_LIFECYCLES}, the latest. Absent if the Node has had none.
   */
  readonly lifecycles?: readonly NodeObserved[];
}
/** How many Ready states of a Node are kept: enough for the life of a Job, unless the Node flaps. */
export const MAX_NODE_STANDS = 64;
/** How many sets of labels are kept for a name. An object usually has one, or two if a label is added later. */
export const MAX_NODE_LABELS = 16;
/** How many sets of lifecycle conditions of a Node are kept: a drain with maintenance has about six. */
export const MAX_NODE_LIFECYCLES = 24;

export interface CronJobRecord {
  readonly cronJobUid: string;
  /** The latest observation. */
  readonly observed?: CronJobObserved;
  /**
   * The first observation of each generation of the spec, in order: the schedule changes with the generation. At most
   * {@link MAX_CRON_SPECS}, the latest. Absent in records of earlier releases.
   */
  readonly specs?: readonly CronJobObserved[];
  readonly deleted?: CronJobDeleted;
}
/** How many generations of a CronJob's spec are kept. A schedule seldom changes; a suspension is a change too. */
export const MAX_CRON_SPECS = 16;

/** The namespaces of one name that had labels or annotations for Outlive: the latest facts. */
export interface NamespaceMarksRecord {
  readonly namespace: string;
  readonly observed?: NamespaceObserved;
  readonly deleted?: NamespaceDeleted;
}

/** The labels and annotations of a namespace for Outlive; none if it was deleted, as another one may have its name. */
export function marksOfNamespace({ observed, deleted }: NamespaceMarksRecord): Readonly<Record<string, string>> {
  const isGone = observed !== undefined && observed.namespaceUid === deleted?.namespaceUid;
  return isGone ? {} : (observed?.marks ?? {});
}

/** Hints about one object (by kind, namespace and name), in the order of their first occurrence. */
export interface HintRecord {
  readonly hints: readonly HintFact[];
}
/**
 * How many Events, and how many requests, are kept for one object. Those between the first and the last are similar.
 */
export const MAX_HINTS = 32;

/** The facts about a cluster that the derivation of one Job needs besides the Job's own record. */
export interface ClusterContext {
  /** Nodes that the Job's Pods ran on, by name. */
  readonly nodes: ReadonlyMap<string, NodeRecord>;
  /** The observed CronJobs that own Jobs, by uid. */
  readonly cronJobs?: ReadonlyMap<string, CronJobRecord>;
  /** Hints by {@link hintKey}. */
  readonly hints: ReadonlyMap<string, readonly HintFact[]>;
  /** The gap records of the cluster. */
  readonly gaps: readonly GapRecorded[];
  /** The server's version, if it is known: "v1.24.17". */
  readonly serverVersion?: string;
  /** The instant of the cluster's latest heartbeat. */
  readonly heardAt?: Instant;
  /** Its objects arrive without `managedFields`: instants that are not part of an object are lower bounds. */
  readonly isUndated?: true;
}

/** The key of the object that a hint is about. It contains no uid, because audit events often have none. */
export function hintKey(target: { readonly kind: string; readonly namespace: string; readonly name: string }): string {
  return `${target.kind}/${target.namespace}/${target.name}`;
}
