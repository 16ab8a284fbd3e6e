import * as v from "valibot";
import { type ClusterName, decodeClusterName, decodeJobUid, type JobUid } from "../../job/model/ids.ts";
import type { ListPosition } from "../job-row.ts";
import type { WidePartition, WidePosition } from "../wide-lists.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `position`, key `#sweepShard#INDEX/OF`: how far a shard of the lists has been visited. */
export interface SweepCheckpoint {
  /**
   * The round in which the shard was visited, as the version of the round's record. In later rounds it was not visited
   * yet.
   */
  readonly round: number;
  /** Where the next run continues; `null` at the end of its last list. */
  readonly position: SweepPosition | null;
  /** How many live Jobs stored by earlier versions it has visited in this round. */
  readonly earlierRows: number;
}

/** A list that a sweep reads, and the last visited Job of it; absent before its first Job. */
export type SweepPosition = NamespacePosition | WideSweepPosition;

/** The live Jobs of a namespace. */
export interface NamespacePosition {
  readonly list: "namespace";
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly after?: ListPosition;
}

/**
 * One partition of the lists of all clusters: of long-lived Jobs, or of those that have just become old enough for it.
 */
export interface WideSweepPosition {
  readonly list: "longLived" | "new";
  readonly partition: WidePartition;
  readonly after?: WidePosition;
}

const cluster = v.custom<ClusterName>((name) => decodeClusterName(name) !== undefined, "Invalid cluster name");
const jobUid = v.custom<JobUid>((uid) => decodeJobUid(uid) !== undefined, "Invalid Job uid");
const createdAt = v.number();

export const sweepPosition = v.variant("list", [
  v.looseObject({
    list: v.literal("namespace"),
    cluster,
    namespace: v.string(),
    after: v.exactOptional(v.looseObject({ createdAt, jobUid })),
  }),
  v.looseObject({
    list: v.picklist(["longLived", "new"]),
    partition: v.string(),
    after: v.exactOptional(v.looseObject({ createdAt, jobUid, cluster: v.string() })),
  }),
]);

export const sweepCheckpoint = recordCodec<SweepCheckpoint>(
  "position",
  v.looseObject({
    round: v.number(),
    position: v.nullable(sweepPosition),
    earlierRows: v.number(),
  }),
);
