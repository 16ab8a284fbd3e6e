import { DEFAULT_PACK_SHARDS, MAX_PACK_SHARDS } from "../../src/ports/deployment/limits.ts";
import { MOST_UNITS, unitsOfTable } from "./throughput.ts";

/** Messages of a one-Pod Job, as measured for the reference fleet (docs/scale.md, "The fleet's load"). */
const MESSAGES_PER_JOB = 1.63;

/** Modelled: a batch of ten messages takes a tenth of a second (docs/decisions/0026-outages.md). */
const MESSAGES_PER_EXECUTION = 100;
/** What remains for a backlog, while as many messages arrive as at the peak. */
const INGEST_HEADROOM = 2;
/** Write units per second of one shard of the log: a quarter of what a partition takes. */
const UNITS_PER_PACK_SHARD = 250;
/** Write units per second of a new table, and of each of its partitions. */
const NEW_TABLE_UNITS = 4_000;
const PARTITION_UNITS = 1_000;
/** The settings that follow, for a stage that a new account can have. */
const LEAST = { ingest: 10, query: 40, logShards: 4 } as const;
/** Jobs per second for which readers send one more request at the same time (assumed). */
const JOBS_PER_QUERY = 25;

/** Settings that follow from the peak, unless they are set themselves. Each is a context value of the same name. */
export interface PeakCapacity {
  /** Batches of ten messages that ingest processes at once. 2 to 1,000 (Lambda, MaximumConcurrency). */
  readonly ingestConcurrency: number;
  /**
   * How many shards of the log's stream the reservation must serve: one per partition of the table. A new table has 4;
   * it has more with warm throughput (1,000 write units per partition), and after a split under load.
   */
  readonly logShards: number;
  /**
   * Shards among which ingest distributes the log: partition keys of the current hour. 1 to 64. A reader of the whole
   * log queries each.
   */
  readonly packShards: number;
  /** Requests to the API that are answered at once, where concurrency is reserved. 1 to 1,000. */
  readonly queryConcurrency: number;
  /**
   * Write units per second that each table and index accepts at once, without the minutes in which DynamoDB splits
   * partitions. 4,000 to 40,000 (the quota of a table in most regions). AWS charges the increase once, and it cannot be
   * lowered. @default what DynamoDB provides, 4,000 for a new table
   */
  readonly warmWriteUnits?: number;
}

/**
 * The capacity for this number of Jobs that begin per second at the peak:
 *
 *     ingestConcurrency = 2 x 1.63 messages x peak / 100, at least 10
 *     packShards        = 0.75 units x peak / 250, at least 4
 *     warmWriteUnits    = 2 x 3.23 units x peak, in thousands; unset up to 4,000
 *     logShards         = warmWriteUnits / 1,000, at least 4
 *     queryConcurrency  = peak / 25, at least 40
 *
 * each rounded up. Lanes, retries and replays do not follow from the peak: a lane is added by a shard.
 */
export function capacityOfPeak(peak: number): PeakCapacity {
  const ingest = (INGEST_HEADROOM * MESSAGES_PER_JOB * peak) / MESSAGES_PER_EXECUTION;
  const warm = Math.min(MOST_UNITS, roundUp(2 * unitsOfTable("jobs").write * peak, PARTITION_UNITS));
  return {
    ingestConcurrency: within(LEAST.ingest, ingest, 1_000),
    packShards: within(DEFAULT_PACK_SHARDS, (unitsOfTable("log").write * peak) / UNITS_PER_PACK_SHARD, MAX_PACK_SHARDS),
    logShards: Math.max(LEAST.logShards, warm / PARTITION_UNITS),
    queryConcurrency: within(LEAST.query, peak / JOBS_PER_QUERY, 1_000),
    ...(warm > NEW_TABLE_UNITS && { warmWriteUnits: warm }),
  };
}

function within(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, Math.ceil(value)));
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
