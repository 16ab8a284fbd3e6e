// What does the setting `ingestBatchSeconds` cost and save? The stack runs on LocalStack, whose event source of ingest
// then waits for the batching window as AWS's documentation describes it (test/emulators/localstack/launch.py). For
// each window and rate, one segment per Job is sent for a while:
// node bench/drills/batching-window.ts [--windows 0,1,2] [--rates 2,20] [--seconds 60] [--output table|json]
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import {
  GetEventSourceMappingCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { textOf } from "../../src/adapters/dynamodb/attribute.ts";
import { itemBytes } from "../../src/adapters/dynamodb/item-size.ts";
import { isJobFact, type JobFact } from "../../src/job/model/fact.ts";
import { packArrivedAt } from "../../src/segment/pack-key.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { createMessageQueue } from "../../src/adapters/sqs/message-queue.ts";
import { createSqsClient } from "../../src/adapters/sqs/sqs-client.ts";
import { createSqsSegmentQueue } from "../../src/adapters/sqs/sqs-segment-queue.ts";
import { createApiClient } from "../../test/end-to-end/aws/api-client.ts";
import { deployStack, speakTo } from "../../test/end-to-end/aws/deployed-stack.ts";
import { emulatorWanted } from "../../test/end-to-end/aws/emulator-wanted.ts";
import { poll } from "../../test/end-to-end/aws/poll.ts";
import { clusterNamed } from "../../test/support/facts/names.ts";
import { createAsker } from "../aws-end-to-end/asker.ts";
import { busyCluster } from "../dynamodb/steady-jobs.ts";
import { formatMeasures, type Measure, report } from "../measuring/measure.ts";
import { recentPacks } from "./recent-packs.ts";

const { values: options } = parseArgs({
  options: {
    windows: { type: "string", default: "0,1,2" },
    rates: { type: "string", default: "2,20" },
    seconds: { type: "string", default: "60" },
    output: { type: "string", default: "table" },
  },
});
const windows = numbersIn(options.windows);
const rates = numbersIn(options.rates);
const SECONDS = Number(options.seconds);
/** Jobs per combination whose answer is awaited. Questions are load, too. */
const ASKED = 60;
const ASKER_PAUSE_MILLIS = 20;
const WARM_UP = 50;
const PATIENCE_MILLIS = 300_000;
const WRITE_UNIT_BYTES = 1024;

// oxlint-disable-next-line node/no-process-env -- the emulator's launcher reads its settings from the environment
Object.assign(process.env, { OUTLIVE_EMULATOR: "localstack", OUTLIVE_BATCHING_WINDOW: "1" });
const wanted = emulatorWanted();
if (wanted.outcome === "skip") process.exit(1);
const stack = await deployStack(wanted.name);
speakTo(stack);
const [lambda, dynamo] = [new LambdaClient({}), new DynamoDBClient({})];
const queue = createSqsSegmentQueue(createMessageQueue(createSqsClient(), stack.outputs.QueueUrl));
const asker = createAsker(createApiClient(stack.apiUrl), ASKER_PAUSE_MILLIS);
const cluster = clusterNamed("bench");
const jobs = lives(WARM_UP + windows.length * rates.reduce((sum, rate) => sum + rate * SECONDS, 0));
let sent = 0;

try {
  const eventSource = await eventSourceOfIngest();
  const measures: Measure[] = [];
  await measure("warm-up", { rate: WARM_UP, seconds: 1 });
  for (const window of windows) {
    await setWindow(eventSource, window);
    for (const rate of rates) {
      const name = `window ${window} s, ${rate} segments/s`;
      const measured = await measure(name, { rate, seconds: SECONDS });
      console.error(formatMeasures(measured));
      measures.push(...measured);
    }
  }
  report(measures);
} finally {
  asker.stop();
  stack.stop();
}

/** The mapping of the queue of segments; ingest has another one for dead letters. */
async function eventSourceOfIngest(): Promise<string> {
  const request = new ListEventSourceMappingsCommand({ FunctionName: stack.outputs.IngestFunction });
  const { EventSourceMappings = [] } = await lambda.send(request);
  const name = stack.outputs.QueueUrl.split("/").at(-1);
  const found = EventSourceMappings.find(({ EventSourceArn }) => EventSourceArn?.split(":").at(-1) === name);
  if (found?.UUID === undefined) throw new Error(`Function ${stack.outputs.IngestFunction} does not read ${name}.`);
  return found.UUID;
}

async function setWindow(UUID: string, seconds: number): Promise<void> {
  await lambda.send(new UpdateEventSourceMappingCommand({ UUID, MaximumBatchingWindowInSeconds: seconds }));
  await poll("the event source has the window", async () => {
    const mapping = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
    return mapping.State === "Enabled" && mapping.MaximumBatchingWindowInSeconds === seconds ? true : undefined;
  });
}

/** A Job's name in the API, the sort key of its segment, and when the queue had accepted it. */
interface Sent {
  readonly created: JobFact & { readonly kind: "JobCreated" };
  readonly key: string;
  readonly acceptedAt: number;
}

async function measure(
  name: string,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<readonly Measure[]> {
  const begin = performance.now();
  const count = rate * seconds;
  const sending: Promise<Sent>[] = [];
  const answering: Promise<number>[] = [];
  for (let n = 0; n < count; n += 1) {
    await setTimeout(Math.max(0, begin + (n * 1000) / rate - performance.now()));
    const one = send();
    sending.push(one);
    if (n % Math.ceil(count / ASKED) === 0) answering.push(one.then(answeredAfter));
  }
  const delivered = await Promise.all(sending);
  const answered = sorted(await Promise.all(answering));
  const { logged, packs, units } = await inLog(delivered);
  return [
    { name: `${name}: accepted to logged, p50`, value: at(logged, 0.5), unit: "ms" },
    { name: `${name}: accepted to logged, p99`, value: at(logged, 0.99), unit: "ms" },
    { name: `${name}: accepted to queryable, p50`, value: at(answered, 0.5), unit: "ms" },
    { name: `${name}: accepted to queryable, p99`, value: at(answered, 0.99), unit: "ms" },
    { name: `${name}: segments in a pack`, value: count / packs, unit: "segments" },
    { name: `${name}: write units of packs per segment`, value: units / count, unit: "units" },
  ];
}

async function send(): Promise<Sent> {
  const facts = jobs[sent] ?? [];
  const created = facts.find((fact) => fact.kind === "JobCreated");
  if (created === undefined) throw new Error("The Job was never created.");
  const { key, bytes } = sealSegment({
    cluster,
    session: "drill00000000000",
    sequence: sent++,
    sealedAt: Date.now(),
    facts,
  });
  const [outcome] = await queue.send([{ cluster, bytes }]);
  if (outcome?.outcome !== "accepted") throw new Error(`SQS did not take a segment: ${JSON.stringify(outcome)}`);
  return { created, key: key.sk, acceptedAt: Date.now() };
}

async function answeredAfter({ created, acceptedAt }: Sent): Promise<number> {
  const { namespace, name, jobUid: uid } = created;
  await asker.answered({ cluster, namespace, name, uid });
  return Date.now() - acceptedAt;
}

/** How long the segments took to the log, in how many packs they are, and the write units of these. */
async function inLog(delivered: readonly Sent[]) {
  const packs = await poll("all segments are in the log", () => packsWith(delivered), { patience: PATIENCE_MILLIS });
  const arrivals = new Map(packs.flatMap(({ sk, items }) => items.map(({ key }) => [key.sk, packArrivedAt(sk)])));
  const logged = delivered.map(({ key, acceptedAt }) => (arrivals.get(key) ?? Number.NaN) - acceptedAt);
  const unitsOf = await unitsOfItems();
  const units = packs.reduce((sum, { sk }) => sum + (unitsOf.get(sk) ?? Number.NaN), 0);
  return { logged: sorted(logged), packs: packs.length, units };
}

/** The packs that have these segments, if all are in the log. */
async function packsWith(delivered: readonly Sent[]) {
  const missing = new Set(delivered.map(({ key }) => key));
  const packs = (await recentPacks(stack.outputs.LogTable)).filter(({ items }) =>
    items.some(({ key }) => missing.has(key.sk)),
  );
  for (const { items } of packs) for (const { key } of items) missing.delete(key.sk);
  return missing.size === 0 ? packs : undefined;
}

/** The write units of each item of the log, by its sort key. */
async function unitsOfItems(): Promise<ReadonlyMap<string, number>> {
  const units = new Map<string, number>();
  for await (const { Items = [] } of paginateScan({ client: dynamo }, { TableName: stack.outputs.LogTable })) {
    for (const item of Items) units.set(textOf(item, "sk"), Math.ceil(itemBytes(item) / WRITE_UNIT_BYTES));
  }
  return units;
}

/** The facts of this many Jobs, from creation to end. */
function lives(count: number): readonly (readonly JobFact[])[] {
  const facts = busyCluster({ jobs: count, everyMs: 20, until: "end" }).map(({ fact }) => fact);
  return [...Map.groupBy(facts.filter(isJobFact), ({ jobUid }) => jobUid).values()];
}

function numbersIn(text: string): readonly number[] {
  return text.split(",").map(Number);
}

function sorted(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b);
}

function at(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}
