import type { Prices } from "../dynamodb/cost.ts";
import { backgroundBill } from "./background-bill.ts";
import type { BillItem } from "./bill-item.ts";
import { ofReaders } from "./readers.ts";
import { idleUnitHoursOfDay, unitHoursOfDay } from "./provisioned-bill.ts";
import { fleetRate } from "./reference-fleet.ts";

/** The log, the tables of Jobs and of runs with their indexes, and the records. */
export type FleetTable = "log" | "jobs" | "runs" | "meta";
export type PerTable = Readonly<Record<FleetTable, number>>;

/** What the fleet consumes, per Job. */
export interface FleetConsumption {
  /** Write and read units of ingest and projection. */
  readonly writeUnits: PerTable;
  readonly readUnits: PerTable;
  /** Messages of the queue: segments. */
  readonly messages: number;
  /** Batches of messages that ingest receives, and packs that are projected, in one invocation each. */
  readonly batches: number;
  readonly packs: number;
  /** Bytes that are stored for each Job until it expires, with DynamoDB's 100 bytes per item and index entry. */
  readonly bytes: PerTable;
  /** Of the indexes of the table of Jobs. Those of runs are among the bytes of runs. */
  readonly indexBytes: number;
}

/** How tables are stored (lib/storage/table.ts). */
export interface TableStorage {
  /** Tables of the class Standard-IA. */
  readonly infrequent: readonly FleetTable[];
  /** Tables with point-in-time recovery. */
  readonly backedUp: readonly FleetTable[];
  /** Whether tables have provisioned capacity, scaled by use and before midnight. @default false: on demand */
  readonly isProvisioned?: boolean;
  /** For how many days the log is kept. @default 430, as without an archive */
  readonly logDays?: number;
}
/** The resources that the stack deploys for a retention of 400 days, without and with an archive. */
export const WITHOUT_ARCHIVE: TableStorage = { infrequent: ["log", "jobs", "runs"], backedUp: ["log", "meta"] };
const WITH_ARCHIVE: TableStorage = { ...WITHOUT_ARCHIVE, logDays: 35 };
export const PROVISIONED: TableStorage = { ...WITH_ARCHIVE, isProvisioned: true };
export const ALL_STANDARD: TableStorage = { infrequent: [], backedUp: ["log", "jobs", "runs", "meta"] };

const DAYS_PER_MONTH = 30.4;
const SECONDS_PER_MONTH = DAYS_PER_MONTH * 86_400;
/** The retention of Jobs with their records, and of the log, in days. */
const RETENTION: PerTable = { jobs: 400, runs: 400, meta: 400, log: 430 };
export const TABLES: readonly FleetTable[] = ["log", "jobs", "runs", "meta"];
/** Assumed: what Lambda and the function write to the log group per invocation. */
const LOG_BYTES_PER_INVOCATION = 400;
/** Measured by `dynamodb-large-job` for 100,000 indexes; a Job of 10,000 takes a tenth. Ten such Jobs a day. */
const LARGE_JOB_UNITS_PER_MONTH = 10 * 1_893 * DAYS_PER_MONTH;
/** Each message is sent and received alone (Lambda receives up to ten at once, which costs less). */
const QUEUE_REQUESTS_PER_MESSAGE = 2;
/** Lambda deletes the messages of a batch with one request. */
const QUEUE_REQUESTS_PER_BATCH = 1;
/**
 * Assumed read units per Job of the audit, which reads the state of a Job once for its beginning and end and once for
 * its deletion, and its part of the packs, and of the sweep, which reads each Job once.
 */
const AUDIT_AND_SWEEP: PerTable = { jobs: 3, runs: 0, log: 0.2, meta: 0.3 };
/** Assumed, not measured on AWS: memory and duration of a function for a batch of ten segments. */
const INGEST_BATCH = { gigabytes: 0.25, seconds: 0.05 };
const PROJECT_PACK = { gigabytes: 1, seconds: 0.15 };

const QUERY_GIGABYTES = 1.73;

export function jobsPerMonth(): number {
  return fleetRate() * SECONDS_PER_MONTH;
}

/** The bill of a month of the reference fleet after 400 days, by service, the archive and notifications included. */
export function monthlyBill(
  perJob: FleetConsumption,
  prices: Prices,
  storage: TableStorage = WITH_ARCHIVE,
): readonly BillItem[] {
  const jobs = jobsPerMonth();
  const queries = ofReaders(() => 1);
  const messages = perJob.messages * jobs;
  const [batches, packs] = [perJob.batches * jobs, perJob.packs * jobs];
  const queueRequests = QUEUE_REQUESTS_PER_MESSAGE * messages + QUEUE_REQUESTS_PER_BATCH * batches;
  const lambda = (calls: number, { gigabytes, seconds }: typeof INGEST_BATCH) =>
    million(calls, prices.lambdaRequestsPerMillion) + calls * gigabytes * seconds * prices.lambdaGbSecond;
  const answers = lambda(queries, {
    gigabytes: QUERY_GIGABYTES,
    seconds: ofReaders(({ seconds }) => seconds) / queries,
  });
  return [
    ...(storage.isProvisioned === true ? provisionedItems : onDemandItems)(perJob, prices, storage),
    item("storage for 400 days", storageCost(perJob, prices, storage)),
    item("backups (point in time)", backupCost(perJob, prices, storage)),
    item("SQS", million(queueRequests, prices.queueRequestsPerMillion)),
    item("Lambda", lambda(batches, INGEST_BATCH) + lambda(packs, PROJECT_PACK) + answers, true),
    item("logs", (((batches + packs + queries) * LOG_BYTES_PER_INVOCATION) / 1e9) * prices.logIngestionPerGb, true),
    item("API Gateway", million(queries, prices.apiRequestsPerMillion), true),
    ...backgroundBill(prices),
  ];
}

/** Units that are used. */
function onDemandItems(perJob: FleetConsumption, prices: Prices, storage: TableStorage): readonly BillItem[] {
  const jobs = jobsPerMonth();
  const written = sumOf((table) => million(perJob.writeUnits[table] * jobs, writePrice(table, prices, storage)));
  const read = (units: PerTable) => sumOf((table) => million(units[table] * jobs, readPrice(table, prices, storage)));
  const large = million(LARGE_JOB_UNITS_PER_MONTH, writePrice("jobs", prices, storage));
  const readByReaders = (table: "jobs" | "meta") =>
    million(
      ofReaders(({ units }) => units[table]),
      readPrice(table, prices, storage),
    );
  return [
    item("DynamoDB writes", written + large),
    item("DynamoDB reads of ingest and projection", read(perJob.readUnits)),
    item("DynamoDB reads of audit and sweep", read(AUDIT_AND_SWEEP), true),
    item("DynamoDB reads of queries", readByReaders("jobs") + readByReaders("meta"), true),
  ];
}

/**
 * Units by the hour. The large Jobs, and reads of queries, which are a tenth, are among the units of each Job: target
 * tracking follows all of them.
 */
function provisionedItems(perJob: FleetConsumption, prices: Prices, storage: TableStorage): readonly BillItem[] {
  const jobs = jobsPerMonth();
  const days = DAYS_PER_MONTH;
  const asked = (table: "jobs" | "meta") => ofReaders(({ units }) => units[table]) / jobs;
  const beside: PerTable = { log: 0, runs: 0, meta: asked("meta"), jobs: asked("jobs") };
  const writes = (table: FleetTable) =>
    perJob.writeUnits[table] + (table === "jobs" ? LARGE_JOB_UNITS_PER_MONTH / jobs : 0);
  const reads = (table: FleetTable) => perJob.readUnits[table] + AUDIT_AND_SWEEP[table] + beside[table];
  const [writeHour, readHour] = [hourPrice("Write", prices, storage), hourPrice("Read", prices, storage)];
  const idleOf = (table: FleetTable) =>
    idleUnitHoursOfDay(writes(table)) * writeHour(table) + idleUnitHoursOfDay(reads(table)) * readHour(table);
  return [
    item("DynamoDB writes", days * sumOf((table) => unitHoursOfDay(writes(table)) * writeHour(table)), true),
    item("DynamoDB reads", days * sumOf((table) => unitHoursOfDay(reads(table)) * readHour(table)), true),
    item("DynamoDB, the idle tables of Jobs and runs", days * (idleOf("jobs") + idleOf("runs")), true),
  ];
}

function hourPrice(kind: "Write" | "Read", prices: Prices, { infrequent }: TableStorage) {
  return (table: FleetTable) =>
    infrequent.includes(table) ? prices[`infrequent${kind}UnitHour`] : prices[`provisioned${kind}UnitHour`];
}

function writePrice(table: FleetTable, prices: Prices, { infrequent }: TableStorage): number {
  return infrequent.includes(table) ? prices.infrequentWriteUnitsPerMillion : prices.writeUnitsPerMillion;
}

function readPrice(table: FleetTable, prices: Prices, { infrequent }: TableStorage): number {
  return infrequent.includes(table) ? prices.infrequentReadUnitsPerMillion : prices.readUnitsPerMillion;
}

function storageCost(perJob: FleetConsumption, prices: Prices, { infrequent, logDays }: TableStorage): number {
  return sumOf((table) => {
    const price = infrequent.includes(table) ? prices.infrequentStoragePerGbMonth : prices.storagePerGbMonth;
    return storedGigabytes(perJob, logDays)[table] * price;
  });
}

/** Backups are priced by the size of the table, without its (global) indexes. */
function backupCost(perJob: FleetConsumption, prices: Prices, { backedUp, logDays }: TableStorage): number {
  const withoutIndexes = storedGigabytes({ ...perJob, indexBytes: 0 }, logDays);
  return sumOf((table) => (backedUp.includes(table) ? withoutIndexes[table] * prices.backupPerGbMonth : 0));
}

function sumOf(each: (table: FleetTable) => number): number {
  return TABLES.reduce((sum, table) => sum + each(table), 0);
}

function million(count: number, price: number): number {
  return (count / 1e6) * price;
}

function item(service: string, dollars: number, isModelled = false): BillItem {
  return { service, dollars, isModelled };
}

/** The stored gigabytes when the oldest items expire. */
export function storedGigabytes(
  { bytes, indexBytes }: Pick<FleetConsumption, "bytes" | "indexBytes">,
  logDays = RETENTION.log,
): Readonly<Record<FleetTable, number>> {
  return {
    log: gigabytes(logDays, bytes.log),
    jobs: gigabytes(RETENTION.jobs, bytes.jobs + indexBytes),
    runs: gigabytes(RETENTION.runs, bytes.runs),
    meta: gigabytes(RETENTION.meta, bytes.meta),
  };
}

function gigabytes(days: number, perJob: number): number {
  return (fleetRate() * 86_400 * days * perJob) / 1e9;
}
