import * as v from "valibot";
import { type ClusterName, decodeClusterName, decodeJobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { ListPosition } from "../../ports/job-row.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { HoldStores } from "../../ports/expiry/holds.ts";
import { type Held, heldOf, RENEWAL_PREFIX, renewalKey } from "../../ports/meta-key.ts";
import type { ProjectionName } from "../../ports/projections.ts";
import { listDecoded, recordCodec, type StoredRecord } from "../../ports/records/record-codec.ts";
import { retentionRecord } from "../../ports/expiry/retention-record.ts";

/** A rule or a hold, in its latest version, and how far stored Jobs follow it. */
export interface RetentionChange {
  readonly kind: "retention" | "hold";
  readonly key: string;
  /** The version of the record of the rule or hold. */
  readonly version: number;
  readonly place: RetentionPlace;
  readonly progress: StoredRecord<RenewalProgress> | undefined;
}

/** Jobs of a cluster, of a namespace, or of a name. */
export interface RetentionPlace extends Held {
  readonly cluster: ClusterName;
}

/**
 * Kind `position`, key `#renewal#KIND#KEY`: how far a rule or hold is applied to the rows of stored Jobs. There are two
 * rounds: one at once, and one when no writer can use the earlier rules any more.
 */
export interface RenewalProgress {
  /** The version of the rule's or hold's record. The progress of another version is ignored. */
  readonly version: number;
  /** When the retain function first saw this version. */
  readonly seenAt: Instant;
  /** The rounds that ended: 0, 1 or 2. */
  readonly rounds: number;
  /** Where the round continues; absent at its beginning. */
  readonly position?: RenewalPosition;
  /** Jobs of the live projection that the round has visited so far or, after it, that the last round has visited. */
  readonly jobs: number;
  /** Rows whose expiry was changed, in both rounds and projections. */
  readonly changed: number;
}

export interface RenewalPosition {
  readonly projection: ProjectionName;
  /** Present if the runs of the namespace are visited, after the Jobs of all namespaces. */
  readonly content?: "runs";
  readonly namespace: string;
  /** The last Job that was visited. */
  readonly after?: ListPosition;
}

const jobUid = v.custom<NonNullable<ReturnType<typeof decodeJobUid>>>(
  (uid) => decodeJobUid(uid) !== undefined,
  "Invalid Job uid",
);

export const renewalProgress = recordCodec<RenewalProgress>(
  "position",
  v.looseObject({
    version: v.number(),
    seenAt: v.number(),
    rounds: v.number(),
    position: v.exactOptional(
      v.looseObject({
        projection: v.picklist(["A", "B"]),
        content: v.exactOptional(v.literal("runs")),
        namespace: v.string(),
        after: v.exactOptional(v.looseObject({ createdAt: v.number(), jobUid })),
      }),
    ),
    jobs: v.number(),
    changed: v.number(),
  }),
);

/** Both rounds over the Jobs of a change. */
export const ALL_ROUNDS = 2;

/** All rules and holds: holds in force first, because what they cover may be about to expire. */
export async function readRetentionChanges({ meta, holds }: HoldStores): Promise<readonly RetentionChange[]> {
  const progress = new Map<string, StoredRecord<RenewalProgress>>();
  for await (const { key, ...stored } of listDecoded(meta, renewalProgress, RENEWAL_PREFIX)) progress.set(key, stored);
  const changeOf = (kind: RetentionChange["kind"], { key, version }: { key: string; version: number }) => {
    const held = heldOf(key);
    const cluster = decodeClusterName(held.cluster);
    if (cluster === undefined) return [];
    return [{ kind, key, version, place: { ...held, cluster }, progress: progress.get(renewalKey(kind, key)) }];
  };
  const urgent: RetentionChange[] = [];
  const others: RetentionChange[] = [];
  for (const { kind, isReleased } of holds) {
    for await (const record of listRecords(meta, kind, { prefix: "" })) {
      (isReleased(record) ? others : urgent).push(...changeOf(kind, record));
    }
  }
  for await (const record of listDecoded(meta, retentionRecord, "")) others.push(...changeOf("retention", record));
  return [...urgent, ...others];
}

/** How many rounds over the stored Jobs have ended since the rule or hold was changed. */
export function roundsOf({ version, progress }: RetentionChange): number {
  return progress?.value.version === version ? progress.value.rounds : 0;
}
