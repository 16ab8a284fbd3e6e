// What does the stack take on AWS, compared with the models? One day of a twentieth of the reference fleet is sent to a
// deployed stage in real time, and the metrics of CloudWatch are read (docs/deploy/aws-day.md). Without `--stage`, it
// deploys to MiniStack, whose durations describe the emulator and the machine. `--minutes 60` sends less than a day,
// `--times 20` the load of the whole fleet.
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import {
  CloudFormationClient,
  ListStackResourcesCommand,
  type StackResourceSummary,
} from "@aws-sdk/client-cloudformation";
import { createSsmClient } from "../../src/adapters/ssm/ssm-client.ts";
import { readStageOutputs } from "../../src/adapters/ssm/stage-outputs.ts";
import { createMessageQueue } from "../../src/adapters/sqs/message-queue.ts";
import { createSqsClient } from "../../src/adapters/sqs/sqs-client.ts";
import { createSqsSegmentQueue } from "../../src/adapters/sqs/sqs-segment-queue.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import { isJobFact } from "../../src/job/model/fact.ts";
import type { SegmentQueue } from "../../src/ports/segment-queue.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { createApiClient, type JobPlace } from "../../test/end-to-end/aws/api-client.ts";
import { deployStack, speakTo } from "../../test/end-to-end/aws/deployed-stack.ts";
import { clusterNamed } from "../../test/support/facts/names.ts";
import { createAsker } from "../aws-end-to-end/asker.ts";
import { metricsSince } from "./cloud-watch.ts";
import { dayCost } from "./day-cost.ts";
import { measureFigures, type MeasuredStage, tableOf } from "./figures.ts";
import type { Prices } from "../dynamodb/cost.ts";
import { busyCluster } from "../dynamodb/steady-jobs.ts";
import { type ReplayedCluster, replayCluster } from "../fleet/replay-cluster.ts";
import { benchOptions } from "../measuring/options.ts";

/** The clusters of the miniature: one Job per second in the largest. */
const CLUSTERS = 10;
const DAY_MINUTES = 1_440;
/** One Job of a cluster of its own is asked for as soon as it was sent. */
const PROBE_EVERY_MILLIS = 5_000;
const PAUSE_MILLIS = 50;
/** Segments that are sent together where several are due. */
const MOST_TOGETHER = 100;
/** Metrics of CloudWatch are complete after some minutes. */
const METRICS_SETTLE_MILLIS = 180_000;

const options = benchOptions(["stage", "minutes", "settle", "times"]);
const minutes = options.positive("minutes", DAY_MINUTES);
/** Runs beside each other are of different clusters. */
const runId = Math.floor(Date.now() / 1_000) % 100_000;
const prices = JSON.parse(readFileSync(new URL("../dynamodb/prices.json", import.meta.url), "utf8")) as Prices;
for (const { service, dollars } of dayCost(prices)) console.log(`USD ${dollars.toFixed(2).padStart(6)}  ${service}`);

const named = options.text("stage");
const emulated = named === undefined ? await deployStack("ministack") : undefined;
if (emulated !== undefined) speakTo(emulated);
try {
  await spendDay(named ?? emulated?.stage ?? "", emulated?.apiUrl);
} finally {
  emulated?.stop();
}

async function spendDay(stageName: string, emulatedApi: string | undefined): Promise<void> {
  const outputs = await readStageOutputs(createSsmClient(), stageName);
  const stage = await stageOf(new CloudFormationClient(), `Outlive-${stageName}`, outputs);
  const queue = createSqsSegmentQueue(createMessageQueue(createSqsClient(), outputs.get("QueueUrl") ?? ""));
  const since = new Date();
  const replayed = Array.from({ length: CLUSTERS }, (_, n) =>
    replayCluster({
      cluster: `day-${runId}-${n}`,
      rate: options.positive("times", 1) / (n + 1),
      seconds: minutes * 60,
      beginsAt: since.getTime(),
    }),
  );
  const probing = probe(queue, emulatedApi ?? outputs.get("ApiUrl") ?? "");
  const messages = await sendInTime(queue, replayed);
  const latencies = await probing.stop();
  await setTimeout(options.positive("settle", METRICS_SETTLE_MILLIS / 1_000) * 1_000);
  const jobs = replayed.reduce((sum, { run }) => sum + run.jobs, 0);
  const figures = await measureFigures(metricsSince(since, emulated?.environment["AWS_ENDPOINT_URL"]), stage, {
    jobs,
    messages,
    latencies,
  });
  console.log(`\n${jobs} Jobs in ${minutes} minutes, ${latencies.length} probes\n\n${tableOf(figures)}`);
}

/** Sends each segment at its time. Returns the number of messages. */
async function sendInTime(queue: SegmentQueue, replayed: readonly ReplayedCluster[]): Promise<number> {
  const sent = replayed.flatMap((each) => each.sent.map(({ at, bytes }) => ({ at, bytes, cluster: each.cluster })));
  const until = Date.now() + minutes * 60_000;
  const due = sent.toSorted((a, b) => a.at - b.at).filter(({ at }) => at <= until);
  for (let sentUntil = 0; sentUntil < due.length;) {
    await setTimeout(Math.max(0, (due[sentUntil]?.at ?? 0) - Date.now()));
    const waiting = due.slice(sentUntil, sentUntil + MOST_TOGETHER).filter(({ at }) => at <= Date.now());
    await sendAll(queue, waiting);
    sentUntil += waiting.length;
  }
  return due.length;
}

async function sendAll(queue: SegmentQueue, segments: Parameters<SegmentQueue["send"]>[0]): Promise<void> {
  if (segments.length === 0) return;
  const outcomes = await queue.send(segments);
  const refused = outcomes.find(({ outcome }) => outcome !== "accepted");
  if (refused !== undefined) throw new Error(`SQS did not accept a segment: ${JSON.stringify(refused)}`);
}

/** Sends a Job from time to time, and measures how long the API takes to have it. */
function probe(queue: SegmentQueue, apiUrl: string) {
  const stopped = new AbortController();
  const asker = createAsker(createApiClient(apiUrl), PAUSE_MILLIS);
  const latencies = measureProbes(queue, (place) => asker.answered(place), stopped.signal);
  return {
    stop: async (): Promise<readonly number[]> => {
      stopped.abort();
      const measured = await latencies;
      asker.stop();
      return measured;
    },
  };
}

async function measureProbes(
  queue: SegmentQueue,
  answered: (place: JobPlace) => Promise<void>,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const cluster = clusterNamed(`probe-${runId}`);
  const latencies: number[] = [];
  for (const [sequence, facts] of probesOf(Math.ceil((minutes * 60_000) / PROBE_EVERY_MILLIS)).entries()) {
    if (signal.aborted) break;
    const segment = sealSegment({ cluster, session: "probe00000000000", sequence, sealedAt: Date.now(), facts });
    await sendAll(queue, [{ cluster, bytes: segment.bytes }]);
    const accepted = performance.now();
    await answered(placeOf(facts));
    latencies.push(performance.now() - accepted);
    await setTimeout(PROBE_EVERY_MILLIS, undefined, { signal }).catch((cause: unknown) => {
      if (!signal.aborted) throw cause;
    });
  }
  return latencies;

  function placeOf(facts: readonly Fact[]): JobPlace {
    for (const fact of facts) {
      if (fact.kind === "JobCreated") return { cluster, namespace: fact.namespace, name: fact.name, uid: fact.jobUid };
    }
    throw new Error("The Job was never created.");
  }
}

/** The facts of one Job each. */
function probesOf(count: number): readonly (readonly Fact[])[] {
  const byJob = new Map<string, Fact[]>();
  for (const { fact } of busyCluster({ jobs: count, everyMs: 20, until: "end" })) {
    if (isJobFact(fact)) byJob.set(fact.jobUid, [...(byJob.get(fact.jobUid) ?? []), fact]);
  }
  return [...byJob.values()];
}

async function stageOf(
  client: CloudFormationClient,
  StackName: string,
  outputs: ReadonlyMap<string, string>,
): Promise<MeasuredStage> {
  const resources: StackResourceSummary[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(new ListStackResourcesCommand({ StackName, ...(NextToken && { NextToken }) }));
    resources.push(...(page.StackResourceSummaries ?? []));
    ({ NextToken } = page);
  } while (NextToken !== undefined);
  const idOf = (logicalId: RegExp) =>
    resources.find(({ LogicalResourceId = "" }) => logicalId.test(LogicalResourceId))?.PhysicalResourceId ?? "";
  const output = (name: string) => outputs.get(name) ?? "";
  return {
    log: output("LogTable"),
    jobs: [output("JobsTableA"), output("JobsTableB")],
    meta: output("MetaTable"),
    queue: output("QueueUrl").split("/").at(-1) ?? "",
    ingest: idOf(/^InIngestFunction[0-9A-F]{8}$/),
    project: idOf(/^ProjectionProjectFunction[0-9A-F]{8}$/),
  };
}
