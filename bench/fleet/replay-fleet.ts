import type { Item } from "../../src/adapters/dynamodb/attribute.ts";
import { stateKey } from "../../src/adapters/dynamodb/jobs/job-item.ts";
import { itemBytes } from "../../src/adapters/dynamodb/item-size.ts";
import { JOB_INDEXES } from "../../src/ports/deployment/tables.ts";
import type { DynamoLocal } from "../../test/support/aws/dynamodb-local.ts";
import { createTables, type MeteredTables } from "../dynamodb/tables.ts";
import { type Delivered, deliverSegments } from "./deliver-segments.ts";
import { FleetUnits, type Purpose, PURPOSES } from "./fleet-units.ts";
import type { FleetConsumption, FleetTable, PerTable } from "./monthly-bill.ts";
import { perJobOfFleet } from "./reference-fleet.ts";
import { type ClusterLoad, type ClusterRun, replayCluster } from "./replay-cluster.ts";
import type { LabelCount } from "./series-metadata.ts";

/** The clusters of the miniature: one Job per second in the largest, 10,500 in the hour. */
const MINIATURE = 10;
/** A quiet cluster, with three Jobs a minute. */
export const QUIET = "fleet-100";
const QUIET_RATE = 0.05;
/** The rate of the largest cluster, and of a tenth of it at the peak. */
export const PEAK = { rate: 10, seconds: 60 } as const;

/** For how long announced changes, and everything else, is kept. */
const CHANGES_DAYS = 35;
const RETENTION_DAYS = 400;
/** DynamoDB counts 100 bytes more for each item and for each index entry. */
const OVERHEAD_BYTES = 100;

/** Which write units are of which table. Almost all refused puts are of states. */
const PURPOSES_OF: Readonly<Record<FleetTable, readonly Purpose[]>> = {
  log: ["log"],
  jobs: ["state", "indexes", "lists", "refused puts"],
  runs: ["runs", "indexes of runs"],
  meta: ["hints", "CronJob records", "changes", "counts", "other records"],
};
/** Records of what exists beside Jobs: they do not become more with each Job. */
const OF_OBJECTS = /^(cronjob|node|namespace|cluster|position|logHour)(#|$)/;

/**
 * Records of new Jobs, announced changes, and batches of writes to be counted: they are of many clusters, and do not
 * depend on the rate of one. Other records without a cluster are written by the clock: the fleet has twenty times as
 * many Jobs for each.
 */
const OF_MANY_CLUSTERS: ReadonlySet<Purpose> = new Set<Purpose>(["lists", "changes", "counts"]);

export interface FleetOptions {
  /** How long Jobs begin, in virtual time. */
  readonly minutes: number;
  readonly labels: LabelCount;
  /** Whether a fifth of the Jobs are in JobSets. @default false */
  readonly hasJobSets?: boolean;
}

/** The miniature, and a cluster at its peak. */
export interface ReplayedFleet {
  readonly hour: Replayed;
  readonly peak: Replayed;
}

interface Replayed {
  readonly run: readonly ClusterRun[];
  readonly delivered: Delivered;
  readonly tables: MeteredTables;
  readonly units: FleetUnits;
  /** The partition keys of the runs of CronJobs. */
  readonly cronJobRuns: readonly string[];
}

/** A replayed cluster. */
interface ReplayedCluster extends Replayed {
  readonly cluster: string;
}

export async function replayFleet(local: DynamoLocal, options: FleetOptions): Promise<ReplayedFleet> {
  const { minutes, labels, hasJobSets = false } = options;
  const seconds = minutes * 60;
  const clusters = Array.from({ length: MINIATURE }, (_, index) => {
    return { cluster: `fleet-00${index}`, rate: 1 / (index + 1), seconds, labels, hasJobSets };
  });
  const quiet = { cluster: QUIET, rate: QUIET_RATE, seconds, labels, hasJobSets };
  return {
    hour: await replay(local, [...clusters, quiet]),
    peak: await replay(local, [{ cluster: "fleet-200", ...PEAK, labels, hasJobSets }]),
  };
}

async function replay(local: DynamoLocal, loads: readonly ClusterLoad[]): Promise<Replayed> {
  const tables = await createTables(local);
  const units = new FleetUnits(tables.meter, tables.names);
  const replayed = loads.map(replayCluster);
  const delivered = await deliverSegments(tables, units, {
    sent: replayed.flatMap(({ sent }) => sent),
    swept: replayed.flatMap(({ swept }) => swept),
    clusters: replayed.map(({ cluster }) => cluster),
  });
  return {
    run: replayed.map(({ run }) => run),
    delivered,
    tables,
    units,
    cronJobRuns: replayed.flatMap((of) => of.cronJobRuns).map((key) => stateKey(key).pk),
  };
}

export function jobsOf(run: readonly ClusterRun[]): number {
  return run.reduce((sum, { jobs }) => sum + jobs, 0);
}

/** Write units per Job of the whole fleet. */
export function allUnitsOf(fleet: ReplayedFleet): number {
  return PURPOSES.reduce((sum, purpose) => sum + unitsOf(fleet, purpose), 0);
}

export function unitsOf(fleet: ReplayedFleet, purpose: Purpose): number {
  const { hour } = fleet;
  const own = ofFleet(fleet, ({ run, units, cluster }) => perJob(run, cluster, () => units.of(cluster, purpose)));
  return OF_MANY_CLUSTERS.has(purpose) ? own + hour.units.shared(purpose) / jobsOf(hour.run) : own;
}

export function consumptionOf(fleet: ReplayedFleet): FleetConsumption {
  const { hour } = fleet;
  const stored = (bytes: (of: ReturnType<typeof storedBytes>) => number) =>
    ofFleet(fleet, ({ run, tables }) => bytes(storedBytes(tables)) / jobsOf(run));
  return {
    writeUnits: perTable((table) => PURPOSES_OF[table].reduce((sum, purpose) => sum + unitsOf(fleet, purpose), 0)),
    readUnits: perTable((table) =>
      ofFleet(fleet, ({ run, tables: { meter, names } }) => meter.of(names[table]).read / jobsOf(run)),
    ),
    messages: ofFleet(fleet, ({ run, cluster }) => perJob(run, cluster, ({ segments }) => segments)),
    batches: hour.delivered.batches / jobsOf(hour.run),
    packs: hour.delivered.packs / jobsOf(hour.run),
    bytes: perTable((table) => stored((bytes) => bytes[table])),
    indexBytes: stored(({ indexes }) => indexes),
  };
}

/** A figure per Job for the whole fleet, from that of each replayed cluster. */
function ofFleet({ hour, peak }: ReplayedFleet, figure: (replayed: ReplayedCluster) => number): number {
  return perJobOfFleet(
    [hour, peak].flatMap((replayed) =>
      replayed.run.map(({ load: { cluster, rate } }) => ({ rate, perJob: figure({ ...replayed, cluster }) })),
    ),
  );
}

function perJob(run: readonly ClusterRun[], cluster: string, figure: (of: ClusterRun) => number): number {
  const own = run.find(({ load }) => load.cluster === cluster);
  return own === undefined ? Number.NaN : figure(own) / own.jobs;
}

function perTable(figure: (table: FleetTable) => number): PerTable {
  return { log: figure("log"), jobs: figure("jobs"), runs: figure("runs"), meta: figure("meta") };
}

/** Bytes of what is kept for each Job. */
function storedBytes({ meter, names }: MeteredTables): PerTable & { readonly indexes: number } {
  const bytes = { log: 0, jobs: 0, runs: 0, meta: 0, indexes: 0 };
  for (const [id, item] of meter.items) {
    const own = itemBytes(item) + OVERHEAD_BYTES;
    if (id.startsWith(`${names.log} `)) bytes.log += own;
    if (id.startsWith(`${names.meta} `)) bytes.meta += recordBytes(id.slice(names.meta.length + 1), own);
    if (id.startsWith(`${names.runs} `)) bytes.runs += own + entryBytes(item);
    if (!id.startsWith(`${names.jobs} `)) continue;
    bytes.jobs += own;
    bytes.indexes += entryBytes(item);
  }
  return bytes;
}

/** Bytes of the index entries of an item. */
function entryBytes(item: Item): number {
  let bytes = 0;
  for (const { partitionKey, sortKey } of Object.values(JOB_INDEXES)) {
    const keys = ["pk", "sk", partitionKey, sortKey];
    const entry = Object.fromEntries(Object.entries(item).filter(([name]) => keys.includes(name)));
    if (item[partitionKey] !== undefined) bytes += itemBytes(entry) + OVERHEAD_BYTES;
  }
  return bytes;
}

function recordBytes(key: string, own: number): number {
  if (OF_OBJECTS.test(key)) return 0;
  return key.startsWith("changes#") ? (own * CHANGES_DAYS) / RETENTION_DAYS : own;
}

/** What the runs of JobSets take, and Jobs that are in none. */
export interface UnitsOfRuns {
  readonly jobSets: number;
  /** Runs in the table. */
  readonly stored: number;
  /** Write units of the table of runs per JobSet, and those of them that are of index entries. */
  readonly perRun: number;
  readonly indexesPerRun: number;
  readonly writesPerRun: number;
  readonly bytesPerRun: number;
  readonly readUnitsPerRun: number;
  /** Write units of the table of Jobs for a run of a CronJob. */
  readonly perCronJobRun: number;
}

export function unitsOfRuns({ hour }: ReplayedFleet): UnitsOfRuns {
  const { run, units, tables, cronJobRuns } = hour;
  const { meter, names } = tables;
  const jobSets = run.reduce((sum, of) => sum + of.jobSets, 0);
  const ofAll = (purpose: Purpose) => run.reduce((sum, { load }) => sum + units.of(load.cluster, purpose), 0) / jobSets;
  const items = [...meter.items].filter(([id]) => id.startsWith(`${names.runs} `)).map(([, item]) => item);
  return {
    jobSets,
    stored: items.length,
    perRun: ofAll("runs") + ofAll("indexes of runs"),
    indexesPerRun: ofAll("indexes of runs"),
    writesPerRun: meter.of(names.runs).writes / jobSets,
    bytesPerRun: items.reduce((sum, item) => sum + itemBytes(item), 0) / jobSets,
    readUnitsPerRun: meter.of(names.runs).read / jobSets,
    perCronJobRun: units.ofJobs(cronJobRuns) / cronJobRuns.length,
  };
}
