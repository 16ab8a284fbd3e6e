// What does the reference fleet cost (200 clusters, 5 million Jobs a day)? One hour of it is replayed in miniature and
// in virtual time: 10 clusters with 2.9 Jobs per second together (1:20), 80 % of them from CronJobs, with the core/v1
// Events of a real scheduler and kubelet, through the exporter's translation and batcher, ingest and projection, to
// DynamoDB Local. A quiet cluster is among them; the midnight peak of the largest one is replayed separately. All of it
// is replayed three times: with one label on each Job, with ten, and with a fifth of the Jobs in JobSets of four under
// Kueue. Units, bytes and messages are counted, so they do not depend on the machine. `--minutes 5` replays less than
// the hour.
import { readFileSync } from "node:fs";
import { startDynamoLocal } from "../test/support/aws/dynamodb-local.ts";
import type { Prices } from "./dynamodb/cost.ts";
import { PURPOSES } from "./fleet/fleet-units.ts";
import { measureAttention } from "./fleet/attention-question.ts";
import type { BillItem } from "./fleet/bill-item.ts";
import { ALL_STANDARD, jobsPerMonth, monthlyBill, PROVISIONED, WITHOUT_ARCHIVE } from "./fleet/monthly-bill.ts";
import { FLEET_READERS } from "./fleet/readers.ts";
import { busiestKeys, type KeyLoad } from "./fleet/reference-fleet.ts";
import {
  allUnitsOf,
  consumptionOf,
  jobsOf,
  PEAK,
  QUIET,
  replayFleet,
  type ReplayedFleet,
  unitsOf,
  unitsOfRuns,
} from "./fleet/replay-fleet.ts";
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

/** How long Jobs begin, in virtual time. */
const minutes = benchOptions(["minutes"]).positive("minutes", 60);
const began = performance.now();
const dynamo = await startDynamoLocal();
/** The recorded Jobs, with one label, Jobs as people deploy them, and a fifth of these in JobSets. */
const recorded = await replayFleet(dynamo, { minutes, labels: 1 });
const alone = await replayFleet(dynamo, { minutes, labels: 10 });
/** Everything but the first figures is of these. */
const fleet = await replayFleet(dynamo, { minutes, labels: 10, hasJobSets: true });
const folded = await measureRebuild(fleet.hour.tables);
const questions = [
  ...(await measureWideQuestions(dynamo)),
  ...(await measureAttention(dynamo)),
  ...(await measureSummaries(dynamo)),
];
await dynamo.stop();

const consumption = consumptionOf(fleet);
const prices = JSON.parse(readFileSync(new URL("dynamodb/prices.json", import.meta.url), "utf8")) as Prices;
const bill = monthlyBill(consumption, prices);
const { peak } = fleet;
const keys = busiestKeys({
  loads: peak.units.keys,
  seconds: PEAK.seconds,
  rate: PEAK.rate,
  largest: { cluster: "fleet-200", rate: PEAK.rate },
});
const measured = [...keyMeasures(keys), ...billMeasures(bill), ...rebuildMeasures(folded), ...questions];
report([...costMeasures(), ...measured, ...runMeasures()]);

function costMeasures(): readonly Measure[] {
  const unit = "WU";
  return [
    { name: "fleet: write units per one-Pod Job, all in", value: allUnitsOf(recorded), unit, goal: "<= 6" },
    ...unitMeasures(recorded, "per Job"),
    {
      name: "fleet: write units per one-Pod Job with ten labels, all in",
      value: allUnitsOf(alone),
      unit,
      goal: "<= 7",
    },
    ...unitMeasures(alone, "per Job with ten labels"),
    { name: "fleet: write units per Job, a fifth in JobSets, all in", value: allUnitsOf(fleet), unit },
    ...unitMeasures(fleet, "per Job, a fifth in JobSets"),
    ...jobSetMeasures(),
    { name: "fleet: read units per Job, ingest and projection", value: readUnitsPerJob(), unit: "RU" },
    { name: "fleet: SQS messages per Job", value: consumption.messages, unit: "messages", goal: "<= 2.5" },
    ...quietMeasures(),
  ];
}

/** What the run of a JobSet takes beside its Jobs, and what Jobs without one take beside it. */
function jobSetMeasures(): readonly Measure[] {
  const { jobSets, stored, perRun, indexesPerRun, writesPerRun, readUnitsPerRun, bytesPerRun } = unitsOfRuns(fleet);
  const run = "of a JobSet of four under Kueue";
  const unit = "WU";
  const cronJobRun = "fleet: write units of the table of Jobs per run of a CronJob";
  return [
    { name: `fleet: write units per run ${run}`, value: perRun, unit, goal: "<= 12" },
    { name: `fleet: write units per run ${run}, indexes`, value: indexesPerRun, unit },
    { name: `fleet: writes per run ${run}`, value: writesPerRun, unit: "writes" },
    { name: `fleet: read units of the table of runs per run ${run}`, value: readUnitsPerRun, unit: "RU" },
    { name: `fleet: bytes of the state of a run ${run}`, value: bytesPerRun, unit: "B" },
    { name: "fleet: stored runs that are no JobSet", value: stored - jobSets, unit: "runs", goal: "<= 0" },
    { name: cronJobRun, value: unitsOfRuns(alone).perCronJobRun, unit },
    { name: `${cronJobRun}, beside JobSets`, value: unitsOfRuns(fleet).perCronJobRun, unit },
  ];
}

function unitMeasures(of: ReplayedFleet, per: string): readonly Measure[] {
  return PURPOSES.map((purpose) => {
    return { name: `fleet: write units ${per}, ${purpose}`, value: unitsOf(of, purpose), unit: "WU" };
  });
}

function readUnitsPerJob(): number {
  return Object.values(consumption.readUnits).reduce((sum, units) => sum + units, 0);
}

function quietMeasures(): readonly Measure[] {
  // It shares packs with the others.
  const { units } = fleet.hour;
  const run = fleet.hour.run.filter(({ load }) => load.cluster === QUIET);
  const all = PURPOSES.reduce((sum, purpose) => sum + units.of(QUIET, purpose), 0) / jobsOf(run);
  const sent = run.reduce((sum, { segments }) => sum + segments, 0) / jobsOf(run);
  const log = units.of(QUIET, "log") / jobsOf(run);
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
    { name: "fleet: monthly bill with readers, USD", value: sumOf(items), unit, goal: "<= 2200" },
    ...readerMeasures(),
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
    { name: "fleet: stored bytes per Job, runs with their indexes", value: consumption.bytes.runs, unit: "B" },
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
    indexEntries: unitsOf(fleet, "indexes"),
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

/** What each kind of readers sends in a month. */
function readerMeasures(): readonly Measure[] {
  return FLEET_READERS.map(({ name, count, hoursPerMonth, requestsPerHour }) => ({
    name: `fleet: requests of ${count} ${name} per month, modelled`,
    value: (count * hoursPerMonth * requestsPerHour) / 1e6,
    unit: "million",
  }));
}

function withoutSettings(items: readonly BillItem[]): readonly BillItem[] {
  return items.filter(({ service }) => !/^(archive|notifications) /.test(service));
}

function sumOf(items: readonly BillItem[]): number {
  return items.reduce((sum, { dollars }) => sum + dollars, 0);
}

function runMeasures(): readonly Measure[] {
  const { hour } = fleet;
  const replays = [recorded, alone, fleet].flatMap((of) => [of.hour, of.peak]);
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
