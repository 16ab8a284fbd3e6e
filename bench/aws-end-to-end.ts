// How long does it take from SQS's acceptance of a segment until the API returns its Job, and how many facts per second
// are processed? The deployed stack runs on an emulator: MiniStack, or LocalStack with OUTLIVE_EMULATOR=localstack. The
// figures describe the code and the emulator together, because AWS runs as many functions as needed.
import { setTimeout } from "node:timers/promises";
import type { Fact } from "../src/job/model/fact.ts";
import { isJobFact } from "../src/job/model/fact.ts";
import { sealSegment } from "../src/segment/seal-segment.ts";
import { createMessageQueue } from "../src/adapters/sqs/message-queue.ts";
import { createSqsClient } from "../src/adapters/sqs/sqs-client.ts";
import { createSqsSegmentQueue } from "../src/adapters/sqs/sqs-segment-queue.ts";
import { createApiClient, type JobPlace } from "../test/end-to-end/aws/api-client.ts";
import { deployStack, speakTo } from "../test/end-to-end/aws/deployed-stack.ts";
import { emulatorWanted } from "../test/end-to-end/aws/emulator-wanted.ts";
import { clusterNamed } from "../test/support/facts/names.ts";
import { createAsker } from "./aws-end-to-end/asker.ts";
import { busyCluster } from "./dynamodb/steady-jobs.ts";
import { report } from "./measuring/measure.ts";
import { benchOptions } from "./measuring/options.ts";

const SECONDS = 80;
const SEGMENTS_A_SECOND = benchOptions(["rate"]).positive("rate", 50);
/**
 * One of this many segments is queried. A query costs the emulator as much as two or three segments, so that mostly one
 * Job is queried at a time.
 */
const ASKED = 40;
/**
 * The pause between two queries. With one querier per waiting Job, the queries would become most of the load when one
 * is late.
 */
const PAUSE_MILLIS = 20;
const BULK_SEGMENTS = 300;
const JOBS_IN_BULK = 10;
/** Segments that are sent before the measurement, so that all necessary functions have started. */
const WARM_UP = 200;

const wanted = emulatorWanted();
if (wanted.outcome === "skip") process.exit(1);
const stack = await deployStack(wanted.name);
speakTo(stack);
const api = createApiClient(stack.apiUrl);
const queue = createSqsSegmentQueue(createMessageQueue(createSqsClient(), stack.outputs.QueueUrl));
const cluster = clusterNamed("bench");
const session = "bench00000000000";
let sequence = 0;
const asker = createAsker(api, PAUSE_MILLIS);

try {
  const steady = SECONDS * SEGMENTS_A_SECOND;
  const jobs = jobsOf(WARM_UP + steady + BULK_SEGMENTS * JOBS_IN_BULK);
  await Promise.all(jobs.slice(0, WARM_UP).map((facts) => send([facts])));
  for (const facts of jobs.slice(0, WARM_UP).filter(isAsked)) await asker.answered(placeOf(facts));
  const latencies = await steadily(jobs.slice(WARM_UP, WARM_UP + steady));
  const bulk = await atOnce(jobs.slice(WARM_UP + steady));
  const at = `${wanted.name}, ${SEGMENTS_A_SECOND} segments/s`;
  const goal = wanted.name === "ministack" ? { goal: "<= 1000" } : {};
  report([
    { name: `${at}: accepted to queryable, p50`, value: percentile(latencies, 0.5), unit: "ms" },
    { name: `${at}: accepted to queryable, p99`, value: percentile(latencies, 0.99), unit: "ms", ...goal },
    { name: `${wanted.name}, all at once: facts folded`, value: bulk, unit: "facts/s" },
  ]);
} finally {
  asker.stop();
  stack.stop();
}

/** The facts of one Job each. */
function jobsOf(count: number): readonly (readonly Fact[])[] {
  const byJob = new Map<string, Fact[]>();
  for (const { fact } of busyCluster({ jobs: count, everyMs: 20, until: "end" })) {
    if (isJobFact(fact)) byJob.set(fact.jobUid, [...(byJob.get(fact.jobUid) ?? []), fact]);
  }
  return [...byJob.values()];
}

async function send(some: readonly (readonly Fact[])[]): Promise<void> {
  const { bytes } = sealSegment({ cluster, session, sequence: sequence++, sealedAt: Date.now(), facts: some.flat() });
  const [outcome] = await queue.send([{ cluster, bytes }]);
  if (outcome?.outcome !== "accepted") throw new Error(`SQS did not take a segment: ${JSON.stringify(outcome)}`);
}

/** Sends a segment every 20 ms, and measures the latency of some. */
async function steadily(jobs: readonly (readonly Fact[])[]): Promise<readonly number[]> {
  const begin = performance.now();
  const polled: Promise<number | undefined>[] = [];
  for (const [n, facts] of jobs.entries()) {
    await setTimeout(Math.max(0, begin + (n * 1000) / SEGMENTS_A_SECOND - performance.now()));
    polled.push(send([facts]).then(() => (isAsked(facts, n) ? sinceAccepted(facts) : undefined)));
  }
  return (await Promise.all(polled)).filter((millis) => millis !== undefined);
}

function isAsked(_: unknown, n: number): boolean {
  return n % ASKED === 0;
}

async function sinceAccepted(facts: readonly Fact[]): Promise<number> {
  const accepted = performance.now();
  await asker.answered(placeOf(facts));
  return performance.now() - accepted;
}

function placeOf(facts: readonly Fact[]): JobPlace {
  for (const fact of facts) {
    if (fact.kind === "JobCreated") {
      return { cluster, namespace: fact.namespace, name: fact.name, uid: fact.jobUid };
    }
  }
  throw new Error("The Job was never created.");
}

/** Facts per second from the first segment sent to the last response, by the Jobs of every tenth segment. */
async function atOnce(jobs: readonly (readonly Fact[])[]): Promise<number> {
  const begin = performance.now();
  const segments = Array.from({ length: BULK_SEGMENTS }, (_, n) =>
    jobs.slice(n * JOBS_IN_BULK, (n + 1) * JOBS_IN_BULK),
  );
  await Promise.all(segments.map(send));
  for (const [job] of segments.filter((_, n) => n % 10 === 0)) await asker.answered(placeOf(job ?? []));
  return jobs.flat().length / ((performance.now() - begin) / 1000);
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}
