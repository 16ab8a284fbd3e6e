import type { Prices } from "../dynamodb/cost.ts";
import type { BillItem } from "./bill-item.ts";
import type { PerTable } from "./monthly-bill.ts";
import { fleetRate } from "./reference-fleet.ts";

/** What a rebuild of the projection of a long log takes. Everything is calculated from what one Job takes. */
export interface Rebuild {
  readonly hours: number;
  readonly items: readonly BillItem[];
}

/** What one Job takes. */
export interface RebuiltJob {
  readonly facts: number;
  /** Units of the live projection of a Job: its writes as they are, one after the other. */
  readonly writeUnits: number;
  readonly readUnits: PerTable;
  /** Entries of a Job in the indexes. */
  readonly indexEntries: number;
  /** Bytes of a Job in the log, and of its item. */
  readonly logBytes: number;
  readonly itemBytes: number;
  /** Bytes of its partial states, and of its line of an import file. */
  readonly partialBytes: number;
  readonly lineBytes: number;
  readonly packedLineBytes: number;
}

const DAYS = 400;
const HOUR = 3_600;
/** The quota of an on-demand table that was not raised (DynamoDB quotas). */
const TABLE_UNITS_PER_SECOND = 40_000;
/** A function of one vCPU. */
const VCPU_GIGABYTES = 1_769 / 1_024;
/** Measured with `bench/replay/rebuild.ts` of a release that emptied: the lowest figure of a loaded machine. */
const FACTS_PER_CPU_SECOND = 1_874;

/** Jobs that end up in the projection. */
function rebuiltJobs(): number {
  return fleetRate() * 86_400 * DAYS;
}

/**
 * A rebuild of earlier releases: empty the idle table, then write each Job as often as the live projection does. Tables
 * of this size are Standard-IA (lib/storage/table.ts). A deletion takes a unit of the item and one of each index entry.
 */
export function rebuildByWrites(job: RebuiltJob, prices: Prices): Rebuild {
  const jobs = rebuiltJobs();
  const [emptying, filling] = [(1 + job.indexEntries) * jobs, job.writeUnits * jobs];
  const reads = (job.readUnits.jobs + job.readUnits.log) * jobs;
  return {
    hours: (emptying + filling) / TABLE_UNITS_PER_SECOND / HOUR,
    items: [
      modelled("empty the idle table", million(emptying, prices.infrequentWriteUnitsPerMillion)),
      modelled("write states and index entries", million(filling, prices.infrequentWriteUnitsPerMillion)),
      modelled("read the log and states", million(reads, prices.infrequentReadUnitsPerMillion)),
      modelled("Lambda", cpuCost((job.facts / FACTS_PER_CPU_SECOND) * jobs, prices)),
    ],
  };
}

/**
 * Seconds of CPU per Job: folding the log into partial states, and joining them into a line (both measured with
 * `bench/run.ts fleet` on a loaded machine); reading its row and what it adds to the counts (0.13 ms were measured).
 */
const CPU_SECONDS = { spread: 0.0017, join: 0.0022, count: 0.0003 };
/** Workers of one vCPU. The account needs a concurrency of 1,000 with the other functions of the fleet. */
const WORKERS = 500;
/** Each hour has an object for each bucket. The partial states of a bucket, 0.6 GB, fit into the memory of a worker. */
const HOURS = DAYS * 24;
const BUCKETS = 2_000;
/** What arrives while the log is folded and the table is loaded is written as usual. */
const CAUGHT_UP_HOURS = 12;
/** Assumed: no rate is published, and none was measured. */
const IMPORT_HOURS = 6;
/** A row of a Job, read by a query of its list and BatchGetItem. */
const COUNT_READ_UNITS = 0.55;
const READ_UNIT_BYTES = 4_096;
/** Read units of an eventually consistent read, of those of a consistent one. */
const EVENTUAL = 0.5;

/** The rebuild that decision 0058 proposes: fold each Job once into files, and import them into a new table. */
export function rebuildByImport(job: RebuiltJob, prices: Prices): Rebuild {
  const jobs = rebuiltJobs();
  const folded = foldOnce(job, prices, job.partialBytes + job.packedLineBytes);
  const counting = CPU_SECONDS.count * jobs;
  return {
    hours: folded.hours + hoursOfWorkers(counting) + IMPORT_HOURS,
    items: [
      ...folded.items,
      modelled("ImportTable", ((job.lineBytes * jobs) / 1e9) * prices.importPerGb),
      modelled("reads to count from lists", million(COUNT_READ_UNITS * jobs, prices.infrequentReadUnitsPerMillion)),
      modelled("Lambda to count", cpuCost(counting, prices)),
    ],
  };
}

/** What the idle table has. */
export interface IdleTable {
  /** For how many days nothing was written to it. */
  readonly daysBehind: number;
  /** Which share of its states the rebuild derives differently. */
  readonly different: number;
}

/** A key and a hash of each item of the idle table, spread over the buckets. */
const DIGEST_BYTES = 60;
/** Assumed: 0.1 ms for an item of a scan. */
const SCAN_CPU_SECONDS = 0.000_1;

/**
 * The alternative of 0058: fold each Job once, compare it with the idle table, and write only what differs. A Job that
 * the table lacks takes a unit for its item and one for each index entry, and a different state one unit.
 */
export function rebuildByDifferences(job: RebuiltJob, prices: Prices, idle: IdleTable): Rebuild {
  const jobs = rebuiltJobs();
  const missing = (jobs * idle.daysBehind) / DAYS;
  const units = (1 + job.indexEntries) * missing + idle.different * (jobs - missing);
  const scanned = (job.itemBytes / READ_UNIT_BYTES) * EVENTUAL * jobs;
  const folded = foldOnce(job, prices, job.partialBytes + DIGEST_BYTES);
  return {
    hours: folded.hours + hoursOfWorkers(SCAN_CPU_SECONDS * jobs) + units / TABLE_UNITS_PER_SECOND / HOUR,
    items: [
      ...folded.items,
      modelled("scan the idle table", million(scanned, prices.infrequentReadUnitsPerMillion)),
      modelled("Lambda to scan", cpuCost(SCAN_CPU_SECONDS * jobs, prices)),
      modelled("write what differs", million(units, prices.infrequentWriteUnitsPerMillion)),
    ],
  };
}

/** The partial states of each Job, joined; and what arrives meanwhile, written as today. */
function foldOnce(job: RebuiltJob, prices: Prices, keptBytes: number): Rebuild {
  const jobs = rebuiltJobs();
  const cpu = (CPU_SECONDS.spread + CPU_SECONDS.join) * jobs;
  const caughtUp = fleetRate() * CAUGHT_UP_HOURS * HOUR * job.writeUnits;
  const gigabytes = (keptBytes * jobs) / 1e9;
  return {
    hours: hoursOfWorkers(cpu) + caughtUp / TABLE_UNITS_PER_SECOND / HOUR,
    items: [
      modelled("read the log", million((job.logBytes / READ_UNIT_BYTES) * jobs, prices.infrequentReadUnitsPerMillion)),
      modelled("Lambda to fold", cpuCost(cpu, prices)),
      modelled("S3 requests", million(HOURS * BUCKETS, prices.objectWritesPerMillion + prices.objectReadsPerMillion)),
      modelled("S3 for two days", (gigabytes * prices.objectStoragePerGbMonth * 2) / 30),
      modelled("catch up by writes", million(caughtUp, prices.infrequentWriteUnitsPerMillion)),
    ],
  };
}

function hoursOfWorkers(cpuSeconds: number): number {
  return cpuSeconds / WORKERS / HOUR;
}

export function dollarsOf({ items }: Rebuild): number {
  return items.reduce((sum, { dollars }) => sum + dollars, 0);
}

function cpuCost(seconds: number, { lambdaGbSecond }: Prices): number {
  return seconds * VCPU_GIGABYTES * lambdaGbSecond;
}

function modelled(service: string, dollars: number): BillItem {
  return { service, dollars, isModelled: true };
}

function million(count: number, price: number): number {
  return (count / 1e6) * price;
}
