import * as v from "valibot";
import { type ClusterName, decodeClusterName, decodeJobUid, type JobUid } from "../../job/model/ids.ts";
import type { ListPosition } from "../jobs.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `position`, key `#sweep`: where the next sweep continues; `null` at the beginning of the list. */
export type SweepCheckpoint = SweepPosition | null;

/** A namespace, and the last Job of it that was visited; absent at its first Job. */
export interface SweepPosition {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly after?: ListPosition;
}

const cluster = v.custom<ClusterName>((name) => decodeClusterName(name) !== undefined, "Invalid cluster name");
const jobUid = v.custom<JobUid>((uid) => decodeJobUid(uid) !== undefined, "Invalid Job uid");

export const sweepCheckpoint = recordCodec<SweepCheckpoint>(
  "position",
  v.nullable(
    v.looseObject({
      cluster,
      namespace: v.string(),
      after: v.exactOptional(v.looseObject({ createdAt: v.number(), jobUid })),
    }),
  ),
);
