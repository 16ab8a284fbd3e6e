// How long does a flood of one sender delay the others on the deployed stack? Four clusters send a segment a second
// each to an emulator. Meanwhile another one sends too much: ten times its share, a burst, a burst as `outlive-doctor`,
// a burst without being registered; or readers ask the widest question in a loop. The emulators' queue is not fair, so
// a burst delays the others by its length. The figures show how long one batch takes, and that nothing else is delayed.
// The bound of fair queues is in docs/decisions/0026-outages.md.
import { setTimeout } from "node:timers/promises";
import { PROBE_CLUSTER } from "../../src/ports/deployment/limits.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import { isJobFact } from "../../src/job/model/fact.ts";
import type { LogPack } from "../../src/ports/log.ts";
import { packArrivedAt } from "../../src/segment/pack-key.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { createMessageQueue } from "../../src/adapters/sqs/message-queue.ts";
import { createSqsClient } from "../../src/adapters/sqs/sqs-client.ts";
import { createSqsSegmentQueue } from "../../src/adapters/sqs/sqs-segment-queue.ts";
import { deployStack, speakTo } from "../../test/end-to-end/aws/deployed-stack.ts";
import { emulatorWanted } from "../../test/end-to-end/aws/emulator-wanted.ts";
import { poll } from "../../test/end-to-end/aws/poll.ts";
import { createStackTools } from "../../test/end-to-end/aws/stack-tools.ts";
import { clusterNamed } from "../../test/support/facts/names.ts";
import { busyCluster } from "../dynamodb/steady-jobs.ts";
import { formatMeasures, type Measure, report } from "../measuring/measure.ts";
import { recentPacks } from "./recent-packs.ts";

const QUIET = ["quiet-0", "quiet-1", "quiet-2", "quiet-3"] as const;
const SECONDS = 12;
/** Messages of a burst: 60 batches. */
const BURST = 600;
/** When the burst begins: the third second. */
const BURST_AT = 3;
/** Readers that ask the widest question, one question after the other. */
const READERS = 4;

interface Flood {
  readonly name: string;
  /** How many messages the flooding cluster sends in this second. */
  readonly messagesAt?: (second: number) => number;
  /** @default noisy */
  readonly cluster?: string;
  readonly isAsking?: boolean;
  /** The clusters that send a segment a second. @default all four */
  readonly quiet?: readonly string[];
}

const FLOODS: readonly Flood[] = [
  { name: "without a flood" },
  { name: "one cluster sends ten times its share", messagesAt: () => 10 },
  { name: `a burst of ${BURST} segments`, messagesAt: burst },
  { name: `a burst of ${BURST} segments as ${PROBE_CLUSTER}`, messagesAt: burst, cluster: PROBE_CLUSTER },
  { name: `${READERS} readers ask the widest question in a loop`, isAsking: true },
];
/** An emulator has one principal, which may send for one cluster. */
const UNREGISTERED: Flood = {
  name: `a burst of ${BURST} unregistered segments`,
  messagesAt: burst,
  cluster: "foreign",
  quiet: QUIET.slice(0, 1),
};

const wanted = emulatorWanted();
if (wanted.outcome === "skip") process.exit(1);
const stack = await deployStack(wanted.name);
speakTo(stack);
const tools = createStackTools(stack);
const queue = createSqsSegmentQueue(createMessageQueue(createSqsClient(), stack.outputs.QueueUrl));
const facts = someFacts();
const answers = new Map<number, number>();
let sequence = 0;

try {
  await measure({ name: "warm-up" });
  const measures: Measure[] = [];
  for (const flood of FLOODS) measures.push(...(await measure(flood)));
  await registerOne();
  measures.push(...(await measure(UNREGISTERED)));
  report([
    ...measures,
    ...[...answers].map(([status, count]) => ({
      name: `answers ${status} to the widest question`,
      value: count,
      unit: "answers",
    })),
  ]);
} finally {
  stack.stop();
}

/** Registers a quiet cluster. From now on, ingest refuses the segments of others. */
async function registerOne(): Promise<void> {
  const before = (await tools.setAside()).map(({ key }) => key);
  await tools.closeIngest();
  await send("foreign", 1);
  const reason = await poll("a segment is set aside", async () => {
    return (await tools.setAside()).find(({ key }) => !before.includes(key))?.reason;
  });
  const principal = /Principal (\S+) is not registered/.exec(reason)?.[1] ?? "";
  const register = ["clusters", "register", QUIET[0], "--principal-id", principal, "--stage", stack.stage];
  const { status, stderr } = await tools.outlive(register);
  if (status !== 0) throw new Error(`Could not register ${QUIET[0]}: ${stderr}`);
  await poll("its segments are accepted", async () => {
    const sent = await send(QUIET[0], 1);
    await setTimeout(3_000);
    return packsWith(sent);
  });
}

async function measure(plan: Flood): Promise<readonly Measure[]> {
  const { messagesAt = () => 0, cluster = "noisy", isAsking = false, quiet = QUIET } = plan;
  const flood: Promise<unknown>[] = [];
  const sent = new Map<string, number>();
  const asking = new AbortController();
  const readers = isAsking ? Array.from({ length: READERS }, () => askWidely(asking.signal)) : [];
  for (let second = 0; second < SECONDS; second += 1) {
    const next = setTimeout(1_000);
    for (const name of quiet) for (const [key, at] of await send(name, 1)) sent.set(key, at);
    flood.push(...inTens(messagesAt(second)).map((count) => send(cluster, count)));
    await next;
  }
  asking.abort();
  await Promise.all([...readers, ...flood]);
  const packs = await poll("all segments of quiet clusters are in the log", () => packsWith(sent), {
    patience: 600_000,
  });
  const delays = delaysOf(plan.name, sent, packs);
  console.error(formatMeasures(delays));
  return delays;
}

function delaysOf(name: string, sent: ReadonlyMap<string, number>, packs: readonly LogPack[]): readonly Measure[] {
  const arrivals = packs.map((pack) => ({ at: packArrivedAt(pack.sk), keys: pack.items.map(({ key }) => key.sk) }));
  const delays = [...sent].map(([key, at]) => {
    const own = arrivals.findIndex(({ keys }) => keys.includes(key));
    const arrivedAt = arrivals[own]?.at ?? Number.NaN;
    return { packs: arrivals.slice(0, own).filter((pack) => pack.at >= at).length, millis: arrivedAt - at };
  });
  const most = Math.max(...delays.map((delay) => delay.packs));
  const millis = delays.map((delay) => delay.millis).toSorted((a, b) => a - b);
  return [
    { name: `${name}: packs of others before a segment of a quiet cluster, at most`, value: most, unit: "packs" },
    { name: `${name}: accepted to logged, p50`, value: millis[Math.floor(millis.length / 2)] ?? 0, unit: "ms" },
    { name: `${name}: accepted to logged, at most`, value: millis.at(-1) ?? 0, unit: "ms" },
  ];
}

/** The packs of this hour and the last one in order of arrival, if all of these segments are in one. */
async function packsWith(sent: ReadonlyMap<string, number>): Promise<readonly LogPack[] | undefined> {
  const packs = await recentPacks(stack.outputs.LogTable);
  const keys = new Set(packs.flatMap(({ items }) => items.map(({ key }) => key.sk)));
  return [...sent.keys()].every((key) => keys.has(key)) ? packs : undefined;
}

/** Sends a number of segments of a cluster. Returns their sort keys, and when the queue had accepted them. */
async function send(name: string, count: number): Promise<ReadonlyMap<string, number>> {
  const cluster = clusterNamed(name);
  const sealed = Array.from({ length: count }, () => {
    const segment = { cluster, session: "drill00000000000", sequence: sequence++, sealedAt: Date.now() };
    return sealSegment({ ...segment, facts: facts[sequence % facts.length] ?? [] });
  });
  const sent = new Map<string, number>();
  for (let begin = 0; begin < sealed.length; begin += 10) {
    const batch = sealed.slice(begin, begin + 10);
    await queue.send(batch.map(({ bytes }) => ({ cluster, bytes })));
    for (const { key } of batch) sent.set(key.sk, Date.now());
  }
  return sent;
}

async function askWidely(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { status } = await fetch(`${stack.apiUrl}/v1/jobs?limit=500`);
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
}

/** Sends a number of messages, ten in each request. The requests are sent at once. */
function inTens(messages: number): readonly number[] {
  return Array.from({ length: Math.ceil(messages / 10) }, (_, request) => Math.min(10, messages - 10 * request));
}

function burst(second: number): number {
  return second === BURST_AT ? BURST : 0;
}

/** The facts of some Jobs, a list for each. */
function someFacts(): readonly (readonly Fact[])[] {
  const own = busyCluster({ jobs: 100, everyMs: 20, until: "end" }).map(({ fact }) => fact);
  return [...Map.groupBy(own.filter(isJobFact), ({ jobUid }) => jobUid).values()];
}
