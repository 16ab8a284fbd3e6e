import * as v from "valibot";
import { METRICS_KEY } from "../../../ports/meta-key.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { ProjectionName } from "../../../ports/projections.ts";
import { readRecord, recordCodec, type StoredRecord, writeRecord } from "../../../ports/records/record-codec.ts";

/** Kind `position`, key `#metrics`. */
export interface MetricsRecord {
  /** The projection whose metrics are shown. After a switch, it changes a moment later than the one that answers. */
  readonly of: ProjectionName;
  /** What was last published to CloudWatch. Absent if nothing is published. */
  readonly published?: PublishedMetrics;
}

export interface PublishedMetrics {
  readonly by: "stage" | "cluster";
  /** Figures (job-figures.ts) by cluster; those of the stage have an empty name. */
  readonly figures: Readonly<Record<string, readonly number[]>>;
}

const metricsRecord = recordCodec<MetricsRecord>(
  "position",
  v.looseObject({
    of: v.picklist(["A", "B"]),
    published: v.exactOptional(
      v.looseObject({ by: v.picklist(["stage", "cluster"]), figures: v.record(v.string(), v.array(v.number())) }),
    ),
  }),
);

/** `undefined` before Jobs were counted for the first time. */
export function readMetricsRecord(meta: MetaStore): Promise<StoredRecord<MetricsRecord> | undefined> {
  return readRecord(meta, metricsRecord, METRICS_KEY);
}

/** Returns `false` if another writer came first. It has counted the same. */
export async function writeMetricsRecord(meta: MetaStore, value: MetricsRecord, expected: number): Promise<boolean> {
  const { outcome } = await writeRecord(meta, metricsRecord, { key: METRICS_KEY, value, expected });
  return outcome === "written";
}
