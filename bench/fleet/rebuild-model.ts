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
  /** Bytes of a Job in the log. */
  readonly logBytes: number;
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
/** Measured with `bench/replay/rebuild.ts`: the lowest figure of a loaded machine. */
const FACTS_PER_CPU_SECOND = 1_874;

/** Jobs that end up in the projection. */
function rebuiltJobs(): number {
  return fleetRate() * 86_400 * DAYS;
}

/**
 * The rebuild as it is: empty the idle table, then write each Job as often as the live projection does. Tables of this
 * size are Standard-IA (lib/table.ts). A deletion takes a unit of the item, and one of each index entry.
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
/** Objects of partial states: units of an hour, each with an object for each bucket. */
const UNITS = DAYS * 24;
const BUCKETS = 1_000;
/** What arrives while the log is folded and the table is loaded is written as usual. */
const CAUGHT_UP_HOURS = 12;
/** Assumed: no rate is published, and none was measured. */
const IMPORT_HOURS = 6;
/** A row of a Job, read by a query of its list and BatchGetItem. */
const COUNT_READ_UNITS = 0.55;
const LOG_UNIT_BYTES = 4_096;

/** The rebuild that decision 0058 proposes: fold each Job once into files, and import them into a new table. */
export function rebuildByImport(job: RebuiltJob, prices: Prices): Rebuild {
  const jobs = rebuiltJobs();
  const cpu = (CPU_SECONDS.spread + CPU_SECONDS.join + CPU_SECONDS.count) * jobs;
  const caughtUp = fleetRate() * CAUGHT_UP_HOURS * HOUR * job.writeUnits;
  const logReads = (job.logBytes / LOG_UNIT_BYTES) * jobs;
  const objects = UNITS * BUCKETS;
  const gigabyteDays = ((job.partialBytes + job.packedLineBytes) * jobs) / 1e9;
  return {
    hours: cpu / WORKERS / HOUR + IMPORT_HOURS + caughtUp / TABLE_UNITS_PER_SECOND / HOUR,
    items: [
      modelled("read the log", million(logReads, prices.infrequentReadUnitsPerMillion)),
      modelled("Lambda", cpuCost(cpu, prices)),
      modelled("S3 requests", million(objects, prices.objectWritesPerMillion + prices.objectReadsPerMillion)),
      modelled("S3 for two days", (gigabyteDays * prices.objectStoragePerGbMonth * 2) / 30),
      modelled("ImportTable", ((job.lineBytes * jobs) / 1e9) * prices.importPerGb),
      modelled("count from lists", million(COUNT_READ_UNITS * jobs, prices.infrequentReadUnitsPerMillion)),
      modelled("catch up by writes", million(caughtUp, prices.infrequentWriteUnitsPerMillion)),
    ],
  };
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
