import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import type { ListedJob, ListPosition } from "./job-row.ts";

/**
 * Lists of the Jobs of all clusters, in a store that keeps them in a few partitions. They are for readers of
 * everything, and for the sweep.
 */
export interface WideLists {
  /** The partitions of some classes. Each can be read by itself, or merged with others. */
  partitions(classes: readonly WideClass[]): readonly WidePartition[];
  /** One page of these partitions, merged. */
  list(partitions: readonly WidePartition[], options: WideOptions): Promise<WidePage>;
  /** What the lists contain. `undefined` until the first sweep after an upgrade has written it. */
  readCoverage(): Promise<StoredCoverage | undefined>;
  writeCoverage(coverage: WideCoverage, expected: number): Promise<"written" | "conflict">;
}

/**
 * - `O` (ordinary): Jobs without trouble that have ended, or are younger than {@link LONG_LIVED_MS}.
 * - `T` (trouble): the same, of Jobs that need attention or have failed.
 * - `A` and `B`: ordinary and troubled Jobs whose row may still change with time, and which were written when they were
 *   older than {@link LONG_LIVED_MS}.
 *
 * So most Jobs never change their class, and `A` and `B` together have few Jobs, which a sweep visits.
 */
export type WideClass = "O" | "T" | "A" | "B";

export const WIDE_CLASSES: readonly WideClass[] = ["O", "T", "A", "B"];

/** A Job that lives longer is in class `A` or `B`: 4 minutes. Nine of ten Jobs of the reference fleet end earlier. */
export const LONG_LIVED_MS = 240_000;

/** One sorted list of Jobs, by the text that identifies it in this store. */
export type WidePartition = string;

export interface WideOptions {
  /** Exclusive, in the given order. */
  readonly after?: WidePosition | undefined;
  readonly limit: number;
  /** By creation, then by uid, then by cluster. `oldest` is the exact reverse of `newest`. @default "newest" */
  readonly order?: "newest" | "oldest";
}

export interface WidePosition extends ListPosition {
  readonly cluster: string;
}

export interface WideJob extends ListedJob {
  readonly cluster: ClusterName;
  /** The class in which the row was written: it may have moved since the list was read. */
  readonly wideClass: WideClass;
}

export interface WidePage {
  readonly rows: readonly WideJob[];
  readonly next?: WidePosition;
}

export interface WideCoverage {
  /** The lists contain all Jobs that were created at or after this instant, and possibly older ones. */
  readonly since: Instant;
  /** A sweep has moved long-lived Jobs that were created before this instant to classes `A` and `B`. */
  readonly sweptTo: Instant;
  /**
   * No live Job of the projection is stored as in earlier versions, which kept live Jobs in a separate list of each
   * namespace.
   */
  readonly isConverted: boolean;
}

export interface StoredCoverage extends WideCoverage {
  readonly version: number;
}
