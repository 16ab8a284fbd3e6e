import * as v from "valibot";
import type { ClusterName } from "../../../job/model/ids.ts";
import { listRecords } from "../../../ports/list-records.ts";
import { ofCluster, scheduleCountsKey } from "../../../ports/meta-key.ts";
import type { MetaRecord, MetaStore } from "../../../ports/meta.ts";
import { InvalidRecordError, recordCodec, writeRecord } from "../../../ports/records/record-codec.ts";
import { packedJson, readPackedJson } from "../../../ports/sums/packed-text.ts";
import type { CountedCronJob } from "./counted-cron-job.ts";

/** What CronJobs that no longer exist have added to the metrics, under the labels that it is shown with. */
export interface EndedCount {
  readonly namespace: string;
  /** The name of the CronJob, of a missed run. */
  readonly cronJob?: string;
  /** The kind, of a finding. */
  readonly kind?: string;
  readonly count: number;
}

/** A part of those CronJobs of a cluster that have anything to count. */
export interface SchedulePart {
  readonly cronJobs: readonly CountedCronJob[];
  readonly ended: readonly EndedCount[];
}

/** A part, and where it is stored. */
export interface StoredSchedulePart {
  readonly key: string;
  readonly part: SchedulePart;
  /** 0 if it was never written. */
  readonly version: number;
}

/** CronJobs of a part: together some 200 KB. An item of DynamoDB may have 400. */
export const CRON_JOBS_PER_PART = 2_000;

const integer = v.pipe(v.number(), v.integer());
const packed = v.object({
  cronJobs: v.array(
    v.object({
      uid: v.string(),
      namespace: v.string(),
      name: v.string(),
      missed: integer,
      recent: v.array(integer),
      until: integer,
      shown: integer,
      kinds: v.array(v.string()),
      open: v.array(v.string()),
      shownAs: v.exactOptional(v.object({ namespace: v.string(), cronJob: v.string() })),
    }),
  ),
  ended: v.array(
    v.object({
      namespace: v.string(),
      cronJob: v.exactOptional(v.string()),
      kind: v.exactOptional(v.string()),
      count: integer,
    }),
  ),
});

const scheduleCounts = recordCodec<{ readonly part: string }>("cronCounts", v.looseObject({ part: v.string() }));

/**
 * The part that contains a CronJob, by the first digits of its uid: one digit, and more if the part of fewer digits is
 * full.
 */
export function partKeyOf(cluster: ClusterName, uid: string, digits = 1): string {
  return scheduleCountsKey(cluster, uid.slice(0, digits));
}

interface ReadOptions {
  readonly isEventual?: boolean;
  /** Gets the error of each damaged part, which is then left out. @default it is thrown */
  readonly onDamaged?: (error: InvalidRecordError) => void;
}

/** All parts of a cluster that have anything to count. */
export async function readScheduleParts(
  meta: MetaStore,
  cluster: ClusterName,
  { isEventual = false, onDamaged }: ReadOptions = {},
): Promise<readonly StoredSchedulePart[]> {
  const parts: StoredSchedulePart[] = [];
  for await (const record of listRecords(meta, "cronCounts", { prefix: ofCluster(cluster), isEventual })) {
    try {
      parts.push(decodePart(record));
    } catch (error) {
      if (onDamaged === undefined || !(error instanceof InvalidRecordError)) throw error;
      onDamaged(error);
    }
  }
  return parts;
}

function decodePart(record: MetaRecord): StoredSchedulePart {
  const { key, version } = record;
  const read = v.safeParse(packed, readPackedJson(scheduleCounts.decode(record).part));
  if (!read.success) throw new InvalidRecordError({ kind: "cronCounts", key }, read.issues[0].message);
  return { key, part: read.output, version };
}

/** Returns `false` if another process has changed the part: it has counted the same. */
export async function writeSchedulePart(meta: MetaStore, { key, part, version }: StoredSchedulePart): Promise<boolean> {
  const value = { part: packedJson(part) };
  const { outcome } = await writeRecord(meta, scheduleCounts, { key, value, expected: version });
  return outcome === "written";
}
