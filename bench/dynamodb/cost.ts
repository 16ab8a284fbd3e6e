import type { Measure } from "../measuring/measure.ts";

/** Prices of one region on one day (prices.json). */
export interface Prices {
  readonly asOf: string;
  readonly region: string;
  readonly writeUnitsPerMillion: number;
  readonly readUnitsPerMillion: number;
  readonly storagePerGbMonth: number;
  /** The table class Standard-IA. */
  readonly infrequentWriteUnitsPerMillion: number;
  readonly infrequentReadUnitsPerMillion: number;
  readonly infrequentStoragePerGbMonth: number;
  /** Provisioned capacity: a unit per second, for an hour. */
  readonly provisionedWriteUnitHour: number;
  readonly provisionedReadUnitHour: number;
  readonly infrequentWriteUnitHour: number;
  readonly infrequentReadUnitHour: number;
  readonly queueRequestsPerMillion: number;
  readonly lambdaRequestsPerMillion: number;
  readonly lambdaGbSecond: number;
  readonly backupPerGbMonth: number;
  readonly logIngestionPerGb: number;
  readonly apiRequestsPerMillion: number;
  /** GetRecords of DynamoDB's streams, other than by Lambda. */
  readonly streamReadsPerMillion: number;
  readonly objectStoragePerGbMonth: number;
  readonly objectWritesPerMillion: number;
  readonly objectReadsPerMillion: number;
  /** What a query of Athena reads. */
  readonly queryPerTerabyte: number;
  readonly metricPerMonth: number;
  readonly alarmPerMonth: number;
  readonly dashboardPerMonth: number;
  /** DynamoDB's import from S3, by the uncompressed size of the files. */
  readonly importPerGb: number;
}

/** The consumption of one Job. */
interface Consumed {
  readonly all: number;
  readonly read: number;
  readonly segments: number;
  readonly batches: number;
}

/** Sent, received and deleted. A message has at most 64 KiB, which is one request. */
const QUEUE_REQUESTS = 3;
/** Assumed, not measured on AWS: memory and duration of a function for one segment, and for one batch. */
const INGEST = { gigabytes: 0.25, seconds: 0.03 };
const FOLD = { gigabytes: 1, seconds: 0.06 };
/**
 * A state with its entries in three indexes, each of which DynamoDB counts as 100 bytes larger, and the Job's part of
 * the log.
 */
const KEPT_BYTES = 900 + 3 * 200 + 4 * 100 + 700;
const MONTHS = 400 / 30.4;

/** The cost of a million Jobs in requests, and in storage during the retention. */
export function costOfMillion({ all, read, segments, batches }: Consumed, prices: Prices): readonly Measure[] {
  const writes = all * prices.writeUnitsPerMillion;
  const reads = read * prices.readUnitsPerMillion;
  const queue = segments * QUEUE_REQUESTS * prices.queueRequestsPerMillion;
  const lambda = lambdaCost(segments, INGEST, prices) + lambdaCost(batches, FOLD, prices);
  const storage = ((KEPT_BYTES * 1e6) / 1e9) * MONTHS * prices.storagePerGbMonth;
  const unit = "USD";
  const per = `per million one-Pod Jobs, ${prices.region}, prices of ${prices.asOf}`;
  return [
    { name: `cost ${per}: DynamoDB writes`, value: writes, unit },
    { name: `cost ${per}: DynamoDB reads`, value: reads, unit },
    { name: `cost ${per}: SQS`, value: queue, unit },
    { name: `cost ${per}: Lambda (durations assumed)`, value: lambda, unit },
    { name: `cost ${per}: requests in all`, value: writes + reads + queue + lambda, unit },
    { name: `cost ${per}: kept for 400 days`, value: storage, unit },
  ];
}

/** `calls` per Job are millions for a million Jobs. */
function lambdaCost(
  calls: number,
  { gigabytes, seconds }: { readonly gigabytes: number; readonly seconds: number },
  { lambdaRequestsPerMillion, lambdaGbSecond }: Prices,
): number {
  return calls * (lambdaRequestsPerMillion + gigabytes * seconds * 1e6 * lambdaGbSecond);
}
