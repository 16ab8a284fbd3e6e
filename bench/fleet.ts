// What does the reference fleet cost (200 clusters, 5 million Jobs a day)? One hour of it is replayed in miniature and
// in virtual time: 10 clusters with 2.9 Jobs per second together (1:20), 80 % of them from CronJobs, with the core/v1
// Events of a real scheduler and kubelet, through the exporter's translation and batcher, ingest and projection, to
// DynamoDB Local. A quiet cluster is among them; the midnight peak of the largest one is replayed separately. Units,
// bytes and messages are counted, so they do not depend on the machine. `--minutes 5` replays less than the hour.
import { readFileSync } from "node:fs";
import { itemBytes } from "../src/adapters/dynamodb/item-size.ts";
import { JOB_INDEXES } from "../src/ports/deployment/tables.ts";
import { type DynamoLocal, startDynamoLocal } from "../test/support/aws/dynamodb-local.ts";
import type { Prices } from "./dynamodb/cost.ts";
import { createTables, type MeteredTables } from "./dynamodb/tables.ts";
import { FleetUnits, type Purpose, PURPOSES } from "./fleet/fleet-units.ts";
import type { BillItem } from "./fleet/bill-item.ts";
import {
  ALL_STANDARD,
  type FleetConsumption,
  type FleetTable,
  jobsPerMonth,
  monthlyBill,
  type PerTable,
  PROVISIONED,
  WITHOUT_ARCHIVE,
} from "./fleet/monthly-bill.ts";
import { busiestKeys, type KeyLoad, perJobOfFleet } from "./fleet/reference-fleet.ts";
import { type Delivered, deliverSegments } from "./fleet/deliver-segments.ts";
import { type ClusterLoad, type ClusterRun, replayCluster } from "./fleet/replay-cluster.ts";
import { type FoldedOnce, measureRebuild } from "./fleet/measure-rebuild.ts";
import {
  dollarsOf,
  type Rebuild,
  rebuildByDifferences,
  rebuildByImport,
  rebuildByWrites,
  type RebuiltJob,
} from "./fleet/rebuild-model.ts";
import { measureSummaries } from "./fleet/summary-questions.ts";
import { measureWideQuestions } from "./fleet/wide-questions.ts";
import { type Measure, report } from "./measuring/measure.ts";
import { benchOptions } from "./measuring/options.ts";

/** The clusters of the miniature: one Job per second in the largest, 10,500 in the hour. */
const MINIATURE = 10;
const QUIET_RATE = 0.05;
const QUIET = "fleet-100";
/** The rate of the largest cluster, and of a tenth of it at the peak. */
const PEAK = { rate: 10, seconds: 60 } as const;

/** For how long announced changes, and everything else, is kept. */
const CHANGES_DAYS = 35;
const RETENTION_DAYS = 400;
/** DynamoDB counts 100 bytes more for each item and for each index entry. */
const OVERHEAD_BYTES = 100;

/** Which write units are of which table. Almost all refused puts are of states. */
const PURPOSES_OF: Readonly<Record<FleetTable, readonly Purpose[]>> = {
  log: ["log"],
  jobs: ["state", "indexes", "refused puts"],
  meta: ["hints", "CronJob records", "changes", "counts", "other records"],
};
/** Records of what exists beside Jobs: they do not become more with each Job. */
const OF_OBJECTS = /^(cronjob|node|namespace|cluster|position|logHour)(#|$)/;

/** How long Jobs begin, in virtual time. */
const minutes = benchOptions(["minutes"]).positive("minutes", 60);
const began = performance.now();
const dynamo = await startDynamoLocal();
const hour = await replay(dynamo, [
  ...miniature(minutes * 60),
  { cluster: QUIET, rate: QUIET_RATE, seconds: minutes * 60 },
]);
/** The quiet cluster shares packs with the others. */
const quiet = { ...hour, run: hour.run.filter(({ load }) => load.cluster === QUIET) };
const peak = await replay(dynamo, [{ cluster: "fleet-200", ...PEAK }]);
const folded = await measureRebuild(hour.tables);
const questions = [...(await measureWideQuestions(dynamo)), ...(await measureSummaries(dynamo))];
await dynamo.stop();

const replays = [hour, peak];
const consumption: FleetConsumption = {
  writeUnits: perTable((table) => PURPOSES_OF[table].reduce((sum, purpose) => sum + unitsOf(purpose), 0)),
  readUnits: perTable((table) =>
    ofFleet(({ run, tables: { meter, names } }) => meter.of(names[table]).read / jobsOf(run)),
  ),
  messages: ofFleet(({ run, cluster }) => perJob(run, cluster, ({ segments }) => segments)),
  batches: hour.delivered.batches / jobsOf(hour.run),
  packs: hour.delivered.packs / jobsOf(hour.run),
  bytes: perTable((table) => ofFleet(({ run, tables }) => storedBytes(tables)[table] / jobsOf(run))),
  indexBytes: ofFleet(({ run, tables }) => storedBytes(tables).indexes / jobsOf(run)),
};
const allUnits = Object.values(consumption.writeUnits).reduce((sum, units) => sum + units, 0);
const prices = JSON.parse(readFileSync(new URL("dynamodb/prices.json", import.meta.url), "utf8")) as Prices;
const bill = monthlyBill(consumption, prices);
const keys = busiestKeys({
  loads: peak.units.keys,
  seconds: PEAK.seconds,
  rate: PEAK.rate,
  largest: { cluster: "fleet-200", rate: PEAK.rate },
});
const measured = [...keyMeasures(keys), ...billMeasures(bill), ...rebuildMeasures(folded), ...questions];
report([...costMeasures(), ...measured, ...runMeasures()]);

interface Replayed {
  readonly run: readonly ClusterRun[];
  readonly delivered: Delivered;
  readonly tables: MeteredTables;
  readonly units: FleetUnits;
}

/** A replayed cluster. */
interface ReplayedCluster extends Replayed {
  readonly cluster: string;
}

function miniature(seconds: number): readonly ClusterLoad[] {
  return Array.from({ length: MINIATURE }, (_, index) => {
    return { cluster: `fleet-00${index}`, rate: 1 / (index + 1), seconds };
  });
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
  return { run: replayed.map(({ run }) => run), delivered, tables, units };
}

/** A figure per Job for the whole fleet, from that of each replayed cluster. */
function ofFleet(figure: (replayed: ReplayedCluster) => number): number {
  return perJobOfFleet(
    replays.flatMap((replayed) =>
      replayed.run.map(({ load: { cluster, rate } }) => ({ rate, perJob: figure({ ...replayed, cluster }) })),
    ),
  );
}

function unitsOf(purpose: Purpose): number {
  // Announced changes do not depend on the rate of a cluster, and their records are of many clusters.
  if (purpose === "changes") return hour.units.shared(purpose) / jobsOf(hour.run);
  return ofFleet(({ run, units, cluster }) => perJob(run, cluster, () => units.of(cluster, purpose)));
}

function perJob(run: readonly ClusterRun[], cluster: string, figure: (of: ClusterRun) => number): number {
  const own = run.find(({ load }) => load.cluster === cluster);
  return own === undefined ? Number.NaN : figure(own) / own.jobs;
}

function jobsOf(run: readonly ClusterRun[]): number {
  return run.reduce((sum, { jobs }) => sum + jobs, 0);
}

function perTable(figure: (table: FleetTable) => number): PerTable {
  return { log: figure("log"), jobs: figure("jobs"), meta: figure("meta") };
}

/** Bytes of what is kept for each Job. */
function storedBytes({ meter, names }: MeteredTables): PerTable & { readonly indexes: number } {
  const bytes = { log: 0, jobs: 0, meta: 0, indexes: 0 };
  for (const [id, item] of meter.items) {
    const own = itemBytes(item) + OVERHEAD_BYTES;
    if (id.startsWith(`${names.log} `)) bytes.log += own;
    if (id.startsWith(`${names.meta} `)) bytes.meta += recordBytes(id.slice(names.meta.length + 1), own);
    if (!id.startsWith(`${names.jobs} `)) continue;
    bytes.jobs += own;
    for (const { partitionKey, sortKey } of Object.values(JOB_INDEXES)) {
      const keys = ["pk", "sk", partitionKey, sortKey];
      const entry = Object.fromEntries(Object.entries(item).filter(([name]) => keys.includes(name)));
      if (item[partitionKey] !== undefined) bytes.indexes += itemBytes(entry) + OVERHEAD_BYTES;
    }
  }
  return bytes;
}

function recordBytes(key: string, own: number): number {
  if (OF_OBJECTS.test(key)) return 0;
  return key.startsWith("changes#") ? (own * CHANGES_DAYS) / RETENTION_DAYS : own;
}

function costMeasures(): readonly Measure[] {
  const unit = "WU";
  return [
    { name: "fleet: write units per one-Pod Job, all in", value: allUnits, unit, goal: "<= 9" },
    ...PURPOSES.map((purpose) => ({ name: `fleet: write units per Job, ${purpose}`, value: unitsOf(purpose), unit })),
    { name: "fleet: read units per Job, ingest and projection", value: readUnitsPerJob(), unit: "RU" },
    { name: "fleet: SQS messages per Job", value: consumption.messages, unit: "messages", goal: "<= 2.5" },
    ...quietMeasures(),
  ];
}

function readUnitsPerJob(): number {
  return Object.values(consumption.readUnits).reduce((sum, units) => sum + units, 0);
}

function quietMeasures(): readonly Measure[] {
  const { run, units } = quiet;
  const all = PURPOSES.reduce((sum, purpose) => sum + units.of("fleet-100", purpose), 0) / jobsOf(run);
  const sent = run.reduce((sum, { segments }) => sum + segments, 0) / jobsOf(run);
  const log = units.of("fleet-100", "log") / jobsOf(run);
  return [
    { name: "fleet: write units per Job of a quiet cluster (3 Jobs a minute), all in", value: all, unit: "WU" },
    { name: "fleet: log write units per Job of a quiet cluster", value: log, unit: "WU" },
    { name: "fleet: SQS messages per Job of a quiet cluster", value: sent, unit: "messages" },
  ];
}

function keyMeasures(busiest: readonly KeyLoad[]): readonly Measure[] {
  const unit = "WU/s";
  const most = Math.max(...busiest.map(({ units }) => units));
  return [
    { name: "fleet: busiest partition key, write units per second at the peak", value: most, unit, goal: "<= 500" },
    ...busiest.map(({ table, key, units }) => {
      return { name: `fleet: busiest partition key of ${table} at the peak (${key})`, value: units, unit };
    }),
  ];
}

function billMeasures(items: readonly BillItem[]): readonly Measure[] {
  const unit = "USD";
  const per = `${prices.region}, prices of ${prices.asOf}`;
  return [
    { name: "fleet: monthly bill, USD", value: sumOf(items), unit, goal: "<= 3000" },
    {
      name: "fleet: the same with provisioned capacity",
      value: sumOf(monthlyBill(consumption, prices, PROVISIONED)),
      unit,
    },
    {
      name: "fleet: the same without the archive and notifications, which are settings",
      value: sumOf(withoutSettings(monthlyBill(consumption, prices, WITHOUT_ARCHIVE))),
      unit,
    },
    {
      name: "fleet: the same with standard tables, and backups of all of them",
      value: sumOf(monthlyBill(consumption, prices, ALL_STANDARD)),
      unit,
    },
    ...items.map(({ service, dollars, isModelled }) => ({
      name: `fleet: monthly bill (${per}): ${service}${isModelled ? ", modelled" : ""}`,
      value: dollars,
      unit,
    })),
    { name: "fleet: stored bytes per Job, log", value: consumption.bytes.log, unit: "B" },
    { name: "fleet: stored bytes per Job, state", value: consumption.bytes.jobs, unit: "B" },
    { name: "fleet: stored bytes per Job, indexes", value: consumption.indexBytes, unit: "B" },
    { name: "fleet: stored bytes per Job, records", value: consumption.bytes.meta, unit: "B" },
    {
      name: "fleet: segments per pack",
      value: consumption.messages / consumption.packs,
      unit: "segments",
    },
    { name: "fleet: Jobs per month", value: jobsPerMonth(), unit: "Jobs" },
  ];
}

/** A rebuild of the log of 400 days: as it is, and in the two ways that decision 0058 compares. */
function rebuildMeasures(once: FoldedOnce): readonly Measure[] {
  const job: RebuiltJob = {
    facts: once.facts / once.jobs,
    writeUnits: consumption.writeUnits.jobs,
    readUnits: consumption.readUnits,
    indexEntries: unitsOf("indexes"),
    logBytes: consumption.bytes.log,
    itemBytes: consumption.bytes.jobs,
    partialBytes: once.partialBytes / once.jobs,
    lineBytes: once.lineBytes / once.jobs,
    packedLineBytes: once.packedBytes / once.jobs,
  };
  const name = "fleet: rebuild of 400 days";
  const behind = { daysBehind: 30, different: 0 };
  return [
    ...rebuildOf(name, rebuildByWrites(job, prices)),
    ...rebuildOf(`${name} by import (proposed)`, rebuildByImport(job, prices)),
    ...rebuildOf(`${name} by differences, 30 days behind`, rebuildByDifferences(job, prices, behind)),
    ...rebuildOf(
      `${name} by differences, all states differ`,
      rebuildByDifferences(job, prices, { ...behind, different: 1 }),
    ),
    { name: "fleet: partial states per Job", value: once.partials / once.jobs, unit: "states" },
    { name: "fleet: bytes of partial states per Job", value: job.partialBytes, unit: "B" },
    { name: "fleet: bytes per Job of an import file", value: job.lineBytes, unit: "B" },
    { name: "fleet: bytes per Job of an import file, compressed", value: job.packedLineBytes, unit: "B" },
    {
      name: "fleet: Jobs that differ from the live table when folded once",
      value: once.different,
      unit: "Jobs",
      goal: "<= 0",
    },
    { name: "fleet: CPU per Job, partial states (timed)", value: (1e3 * once.spreadSeconds) / once.jobs, unit: "ms" },
    { name: "fleet: CPU per Job, import file (timed)", value: (1e3 * once.joinSeconds) / once.jobs, unit: "ms" },
  ];
}

function rebuildOf(name: string, rebuild: Rebuild): readonly Measure[] {
  return [
    { name: `${name}, hours`, value: rebuild.hours, unit: "h", goal: "<= 12" },
    { name: `${name}, USD`, value: dollarsOf(rebuild), unit: "USD", goal: "<= 1000" },
    ...partsOf(name, rebuild),
  ];
}

function partsOf(name: string, { items }: Rebuild): readonly Measure[] {
  return items.map(({ service, dollars }) => ({ name: `${name}, modelled: ${service}`, value: dollars, unit: "USD" }));
}

function withoutSettings(items: readonly BillItem[]): readonly BillItem[] {
  return items.filter(({ service }) => !/^(archive|notifications) /.test(service));
}

function sumOf(items: readonly BillItem[]): number {
  return items.reduce((sum, { dollars }) => sum + dollars, 0);
}

function runMeasures(): readonly Measure[] {
  const mismatches = replays.reduce((sum, { tables }) => sum + tables.meter.mismatches, 0);
  const facts = hour.run.reduce((sum, run) => sum + run.facts, 0);
  return [
    { name: "fleet: replayed Jobs of the miniature", value: jobsOf(hour.run), unit: "Jobs" },
    { name: "fleet: facts per Job before deduplication", value: facts / jobsOf(hour.run), unit: "facts" },
    {
      name: "fleet: puts whose units are not what the published formula says",
      value: mismatches,
      unit: "puts",
      goal: "<= 0",
    },
    { name: "fleet: duration of this benchmark (timed)", value: (performance.now() - began) / 60_000, unit: "min" },
  ];
}
