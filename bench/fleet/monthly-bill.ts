import { FOLD, INGEST, type Prices, QUEUE_REQUESTS } from "../dynamodb/cost.ts";
import { fleetRate } from "./reference-fleet.ts";

/** What the fleet consumes, per Job. */
export interface FleetConsumption {
  /** Write and read units of ingest and projection. */
  readonly writeUnits: number;
  readonly readUnits: number;
  /** Messages of the queue: segments. Each is ingested and projected in one invocation each. */
  readonly segments: number;
  /** Stored bytes, with DynamoDB's 100 bytes per item and index entry. */
  readonly logBytes: number;
  readonly stateBytes: number;
}

export interface BillItem {
  readonly service: string;
  readonly dollars: number;
  /** Whether it rests on assumed rates or durations, not on measured ones. */
  readonly isModelled: boolean;
}

const DAYS_PER_MONTH = 30.4;
const SECONDS_PER_MONTH = DAYS_PER_MONTH * 86_400;
/** The retention of Jobs and of the log, in days. */
const RETENTION = { jobs: 400, log: 430 } as const;
/** Assumed: what Lambda and the function write to the log group per invocation. */
const LOG_BYTES_PER_INVOCATION = 400;
/** Measured by `dynamodb-large-job` for 100,000 indexes; a Job of 10,000 takes a tenth. Ten such Jobs a day. */
const LARGE_JOB_UNITS_PER_MONTH = 10 * 1_893 * DAYS_PER_MONTH;

/**
 * Assumed requests of the readers, and the read units of each: pages that poll for changes, clients that ask for one
 * Job, followers of the changes, and one Prometheus.
 */
const READERS = [
  { count: 200, secondsBetween: 10, readUnits: 4 },
  { count: 50, secondsBetween: 5, readUnits: 4 },
  { count: 20, secondsBetween: 5, readUnits: 10 },
  { count: 1, secondsBetween: 30, readUnits: 60 },
] as const;
const QUERY = { gigabytes: 1.73, seconds: 0.05 };

export function jobsPerMonth(): number {
  return fleetRate() * SECONDS_PER_MONTH;
}

/** The bill of a month of the reference fleet after 400 days, by service. */
export function monthlyBill(perJob: FleetConsumption, prices: Prices): readonly BillItem[] {
  const jobs = jobsPerMonth();
  const requests = READERS.reduce(
    (sum, { count, secondsBetween }) => sum + (count * SECONDS_PER_MONTH) / secondsBetween,
    0,
  );
  const readByReaders = READERS.reduce(
    (sum, { count, secondsBetween, readUnits }) => sum + (count * SECONDS_PER_MONTH * readUnits) / secondsBetween,
    0,
  );
  const messages = perJob.segments * jobs;
  const stored = storedGigabytes(perJob);
  const invocations = 2 * messages + requests;
  const lambdaOf = (calls: number, { gigabytes, seconds }: typeof QUERY) =>
    million(calls, prices.lambdaRequestsPerMillion) + calls * gigabytes * seconds * prices.lambdaGbSecond;
  return [
    item("DynamoDB writes", million(perJob.writeUnits * jobs + LARGE_JOB_UNITS_PER_MONTH, prices.writeUnitsPerMillion)),
    item("DynamoDB reads of ingest and projection", million(perJob.readUnits * jobs, prices.readUnitsPerMillion)),
    item("DynamoDB reads of queries", million(readByReaders, prices.readUnitsPerMillion), true),
    item("storage for 400 days", stored * prices.storagePerGbMonth),
    item("backups (point in time)", stored * prices.backupPerGbMonth),
    item("SQS", million(messages * QUEUE_REQUESTS, prices.queueRequestsPerMillion)),
    item("Lambda", lambdaOf(messages, INGEST) + lambdaOf(messages, FOLD) + lambdaOf(requests, QUERY), true),
    item("logs", ((invocations * LOG_BYTES_PER_INVOCATION) / 1e9) * prices.logIngestionPerGb, true),
    item("API Gateway", million(requests, prices.apiRequestsPerMillion), true),
  ];
}

function million(count: number, price: number): number {
  return (count / 1e6) * price;
}

function item(service: string, dollars: number, isModelled = false): BillItem {
  return { service, dollars, isModelled };
}

/** The stored gigabytes when the oldest items expire. */
export function storedGigabytes({ logBytes, stateBytes }: FleetConsumption): number {
  const jobsPerDay = fleetRate() * 86_400;
  return (jobsPerDay * (RETENTION.jobs * stateBytes + RETENTION.log * logBytes)) / 1e9;
}
