// Which codec should write segments? Bytes and write units of the log with the columnar codec and with JSON and zstd,
// at the rates of a fleet of 200 clusters, and the CPU time of both. Bytes and units are deterministic if the command
// `zstd` is installed to train the same dictionary.
import { existsSync, readFileSync } from "node:fs";
import { decodeClusterName } from "../src/job/model/ids.ts";
import { factsOf, foldJobs } from "../src/job/model/job-record.ts";
import { translate } from "../src/kubernetes/translate/translate.ts";
import { FactDeduplicator } from "../src/segment/fact-deduplicator.ts";
import { columnar, jsonText, jsonZstd, type SegmentCodec, type Unsealed } from "./codec/codecs.ts";
import { rateClasses } from "./codec/fleet-rates.ts";
import { written } from "./codec/log-units.ts";
import { inWindows } from "./codec/timed-facts.ts";
import { trainDictionary } from "./codec/train-dictionary.ts";
import { busyCluster, type TimedFact } from "./dynamodb/steady-jobs.ts";
import { type Measure, median, report } from "./measuring/measure.ts";
import { RECORDED_TIMES, recordedEvents } from "./measuring/recorded.ts";

const DICTIONARY_BYTES = 64 * 1024;
const PACK_BYTES = 64 * 1024;
const JOBS_PER_CLUSTER = 60;
const ROUNDS = 5;
const FULL_MILLIS = 3_600_000;
const TRAINING_MILLIS = 5;

const cluster = decodeClusterName("production-eu-1");
if (cluster === undefined) throw new Error("production-eu-1 is a cluster's name");
const own = cluster;

/** The facts of the 2,000-Job recording at their recorded times, or at their line numbers if no times are recorded. */
async function recordedTimed(): Promise<readonly TimedFact[]> {
  const deduplicator = new FactDeduplicator({ jobs: 100_000, pods: 1_000_000 });
  const times = existsSync(RECORDED_TIMES)
    ? (JSON.parse(readFileSync(RECORDED_TIMES, "utf8")) as { readonly ms: readonly number[] }).ms
    : [];
  return (await recordedEvents()).flatMap((event, line) => {
    const translated = translate(event);
    const facts = translated.outcome === "translated" ? translated.facts : [];
    return facts.filter((fact) => deduplicator.isNew(fact)).map((fact) => ({ ms: times[line] ?? line, fact }));
  });
}

const recorded = await recordedTimed();
const busy = inWindows(own, recorded, 250);
const full = inWindows(own, recorded, FULL_MILLIS).flatMap(intoFull);

/** About as many facts as fill a segment of 46 KiB. */
function intoFull(segment: Unsealed): readonly Unsealed[] {
  const size = 4_000;
  return Array.from({ length: Math.ceil(segment.facts.length / size) }, (_, part) => ({
    ...segment,
    sequence: part,
    facts: segment.facts.slice(part * size, (part + 1) * size),
  }));
}

// Every second window of the recording trains the dictionary: busy windows, and windows as small as those of quiet
// clusters. The fleet's Jobs are excluded, because a dictionary of the product must not contain names and labels of
// users.
const training = [...busy, ...inWindows(own, recorded, TRAINING_MILLIS)].filter((_, number) => number % 2 === 1);
const dictionary = trainDictionary(training.map(jsonText), DICTIONARY_BYTES);
const codecs: readonly SegmentCodec[] = [
  columnar,
  jsonZstd("JSON + zstd 3", 3),
  jsonZstd(
    "JSON + zstd 3, raw dictionary",
    3,
    Buffer.from(training.slice(-200).map(jsonText).join("\n")).subarray(-DICTIONARY_BYTES),
  ),
  ...(dictionary === undefined
    ? []
    : [
        jsonZstd("JSON + zstd 3, trained dictionary", 3, dictionary),
        jsonZstd("JSON + zstd 12, trained dictionary", 12, dictionary),
      ]),
];

/** The segments of each class of clusters. Jobs begin at equal intervals. */
const fleet = rateClasses().map(({ rate, share }) => {
  const jobs = Math.max(JOBS_PER_CLUSTER, Math.ceil(rate * 30));
  const facts = busyCluster({ jobs, everyMs: 1_000 / rate, until: "deletion" });
  return {
    rate,
    share,
    jobs,
    segments: new Map([250, 1_000].map((window) => [window, inWindows(own, facts, window)])),
  };
});

/** Write units of the log per Job at the fleet's rates, with one item per segment and with packs. */
function fleetUnits(codec: SegmentCodec, windowMillis: number) {
  let [items, packs, bytes, segments] = [0, 0, 0, 0];
  const byRate: Measure[] = [];
  for (const { rate, share, jobs, segments: ofWindow } of fleet) {
    const sealed = ofWindow.get(windowMillis) ?? [];
    const total = written(codec, sealed, PACK_BYTES);
    items += (share * total.itemUnits) / jobs;
    packs += (share * total.packUnits) / jobs;
    bytes += (share * total.bytes) / jobs;
    segments += (share * sealed.length) / jobs;
    const name = `${codec.name}: log write units per Job, ${windowMillis} ms windows, ${rate.toPrecision(2)} Jobs/s`;
    byRate.push({ name, value: total.itemUnits / jobs, unit: "WU/Job" });
  }
  const at = `${windowMillis} ms windows, fleet`;
  return [
    ...byRate,
    { name: `${codec.name}: log write units per Job, ${at}, one item per segment`, value: items, unit: "WU/Job" },
    { name: `${codec.name}: log write units per Job, ${at}, packs of 64 KiB`, value: packs, unit: "WU/Job" },
    { name: `${codec.name}: bytes per Job, ${at}`, value: bytes, unit: "B/Job" },
    { name: `segments per Job, ${at}`, value: segments, unit: "segments" },
  ];
}

/** The records of one-Pod Jobs as in their last state items. */
const states = [
  ...foldJobs(busyCluster({ jobs: 40, everyMs: 100, until: "deletion" }).map(({ fact }) => fact)).values(),
].map(factsOf);

function stateBytes(codec: SegmentCodec): number {
  return median([...states, ...states.slice(0, 1)].map((facts) => codec.encodeState([...facts]).length));
}

function cpuMicros(work: () => void): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const begin = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begin);
    return user + system;
  });
  return median(rounds);
}

function figuresOf(codec: SegmentCodec): readonly Measure[] {
  const facts = recorded.length;
  const encoded = busy.map((segment) => codec.encode(segment));
  const decoded = encoded.reduce((sum, bytes) => sum + codec.decode(bytes).length, 0);
  if (decoded !== facts) throw new Error(`${codec.name} decodes ${decoded} of ${facts} facts.`);
  const encode = cpuMicros(() => busy.forEach((segment) => codec.encode(segment)));
  const decode = cpuMicros(() => encoded.forEach((bytes) => codec.decode(bytes)));
  return [
    {
      name: `${codec.name}: bytes per fact, 250 ms windows`,
      value: written(codec, busy, PACK_BYTES).bytes / facts,
      unit: "B/fact",
    },
    {
      name: `${codec.name}: bytes per fact, full segments`,
      value: written(codec, full, PACK_BYTES).bytes / facts,
      unit: "B/fact",
    },
    { name: `${codec.name}: bytes of a one-Pod Job's state, median`, value: stateBytes(codec), unit: "B" },
    ...fleetUnits(codec, 250),
    ...fleetUnits(codec, 1_000),
    { name: `${codec.name}: CPU to encode, 250 ms windows`, value: encode / facts, unit: "us/fact" },
    { name: `${codec.name}: CPU to decode and check, 250 ms windows`, value: decode / facts, unit: "us/fact" },
  ];
}

report(codecs.flatMap(figuresOf));
