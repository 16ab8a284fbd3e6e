import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { InvokeCommand, LambdaClient, ListFunctionsCommand } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CountReport } from "../../../../functions/events/count-event.ts";
import { type CountPosition, countPosition } from "../../../../src/count/count-records.ts";
import { createDynamoMetaStore } from "../../../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { SWEEP_SHARDS } from "../../../../src/ports/deployment/limits.ts";
import type { SweepEvent } from "../../../../src/ports/deployment/sweep-event.ts";
import type { JobAnswer } from "../../../../src/explain/answer-document.ts";
import type { Fact } from "../../../../src/job/model/fact.ts";
import { formatInstant } from "../../../../src/job/model/instant.ts";
import type { MetaStore } from "../../../../src/ports/meta.ts";
import { countPositionKey } from "../../../../src/ports/meta-key.ts";
import { readRecord, writeRecord } from "../../../../src/ports/records/record-codec.ts";
import type { UsageReport } from "../../../../src/query/usage/usage-report.ts";
import type { SummaryAnswer } from "../../../../src/query/summary/summary.ts";
import type { Swept } from "../../../../src/upkeep/sweep/sweep-jobs.ts";
import { reconfigureFunction } from "../../../support/aws/reconfigure-function.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { failingJob } from "../../../support/notify/failing-job.ts";
import { Story } from "../../../support/story/story.ts";
import { type ApiClient, createApiClient } from "../api-client.ts";
import { type DeployedStack, deployStack, speakTo } from "../deployed-stack.ts";
import { emulatorWanted } from "../emulator-wanted.ts";
import { type FailingProxy, startFailingProxy, type StoppedWrites } from "../failing-proxy.ts";
import { poll } from "../poll.ts";
import { type RecordedCluster, sealed } from "../recorded-clusters.ts";
import { createStackTools, type StackTools } from "../stack-tools.ts";

const wanted = emulatorWanted();
const PATIENCE = 600_000;
/** More than a summary counts from the Jobs themselves (src/query/summary/summary-of-sums.ts). */
const JOBS = 600;
const CLUSTERS = ["counted-eu", "counted-us"];
const HOUR = 3_600_000;
/** Sums of a round that are written before it is stopped. */
const SUMS_BEFORE = 3;

let deployed: DeployedStack | undefined;
let stack: DeployedStack;
let proxy: FailingProxy | undefined;
let api: ApiClient;
let tools: StackTools;
let meta: MetaStore;
const lambda = () => new LambdaClient({});

beforeAll(async () => {
  if (wanted.outcome === "skip") return;
  deployed = stack = await deployStack(wanted.name);
  speakTo(stack);
  api = createApiClient(stack.apiUrl);
  tools = createStackTools(stack);
  meta = createDynamoMetaStore(new DynamoDBClient({}), { table: stack.outputs.MetaTable, retentionDays: 400 });
  proxy = await startFailingProxy(stack.emulator.endpoint);
  // The stage has no Jobs: it counts them from the beginning.
  await count();
  await reconfigureFunction(lambda(), stack.outputs.CountFunction, {
    AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
  });
});
afterAll(() => {
  deployed?.stop();
  proxy?.stop();
});

/** What the sweep reports, by shard. */
async function sweep(event: SweepEvent): Promise<readonly Swept[]> {
  const { Functions = [] } = await lambda().send(new ListFunctionsCommand({}));
  const FunctionName = Functions.find((each) => each.Description?.startsWith("Detects what changes only with time"));
  const request = { FunctionName: FunctionName?.FunctionName, Payload: JSON.stringify(event) };
  const { Payload = [], FunctionError } = await lambda().send(new InvokeCommand(request));
  const text = Buffer.from(Payload).toString("utf8");
  expect(FunctionError, text).toBeUndefined();
  return JSON.parse(text) as readonly Swept[];
}

/** What the function that counts reports; an error where it was killed or failed. */
async function count(): Promise<Partial<CountReport>> {
  const { CountFunction: FunctionName } = stack.outputs;
  const { Payload = [] } = await lambda().send(new InvokeCommand({ FunctionName, Payload: "{}" }));
  return JSON.parse(Buffer.from(Payload).toString("utf8") || "{}") as Partial<CountReport>;
}

async function position(): Promise<{ readonly value: CountPosition; readonly version: number }> {
  const stored = await readRecord(meta, countPosition, countPositionKey("A"));
  if (stored === undefined) throw new Error("The stage does not count.");
  return stored;
}

/** As if the six minutes had passed for which a killed function holds the counts. */
async function endHold(): Promise<void> {
  const { value, version } = await position();
  const released = { ...value, heldUntil: 0 };
  expect(
    await writeRecord(meta, countPosition, { key: countPositionKey("A"), value: released, expected: version }),
  ).toMatchObject({ outcome: "written" });
}

interface StoppedRound {
  readonly how: StoppedWrites["how"];
  /** What there is to count. */
  readonly write: () => Promise<unknown>;
  /** What happens to the function that waits for its write. */
  readonly stop: () => unknown;
}

/** Stops a function that counts in the middle of a round, whether the test or the schedule has invoked it. */
async function stopRound({ how, write, stop }: StoppedRound): Promise<void> {
  if (proxy === undefined) throw new Error("The proxy was not started.");
  const stopping = proxy;
  stopping.stopWrites({ how, containing: "counts#counted-", after: SUMS_BEFORE });
  await write();
  const runs: Promise<unknown>[] = [];
  const isStopped = async () => {
    if (stopping.stopped > 0) return true;
    runs.push(count());
    return undefined;
  };
  await poll("a round is stopped", isStopped, { patience: PATIENCE, pause: 3_000 });
  expect((await position()).value.applying).toBeDefined();
  stop();
  await Promise.all(runs);
  stopping.recover();
  await endHold();
}

/** A Job of a CronJob or of none, in one of several hours: what its beginning and its end report. */
function jobFacts(n: number): readonly [beginning: readonly Fact[], end: readonly Fact[]] {
  const beganAt = formatInstant(Math.floor(Date.now() / HOUR) * HOUR - (1 + (n % 4)) * HOUR + n * 100);
  const name = `counted-${n}`;
  if (n % 3 === 0) {
    const [beginning = [], ...end] = failingJob(name, beganAt);
    return [beginning, end.flat()];
  }
  const story = new Story(name, beganAt);
  story.jobCreated({});
  story.jobTracked();
  story.jobReported({ startTime: story.now, active: 1 });
  const beginning = story.facts.splice(0);
  story.podSucceeds("p1", 30);
  story.podReserved("p1", { cpu: "250m", memory: "1Gi" });
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  return [beginning, story.facts];
}

/** The beginnings and the ends of the Jobs of a cluster. */
function recorded(name: string): { readonly beginnings: RecordedCluster; readonly ends: RecordedCluster } {
  const cluster = clusterNamed(name);
  const all = Array.from({ length: JOBS / CLUSTERS.length }, (_, n) => jobFacts(n));
  return {
    beginnings: { cluster, facts: all.flatMap(([beginning]) => beginning) },
    ends: { cluster, facts: all.flatMap(([, end]) => end) },
  };
}

async function sendTwice(cluster: RecordedCluster, sealedAt: number): Promise<void> {
  const messages = sealed(cluster, sealedAt);
  await tools.send(cluster, [...messages, ...messages]);
}

async function listedJobs(query = ""): Promise<readonly JobAnswer[]> {
  const jobs: JobAnswer[] = [];
  for (let cursor = ""; ;) {
    const { text } = await api.ask(`/v1/jobs?limit=500${query}${cursor}`);
    const page = JSON.parse(text) as { readonly items: readonly JobAnswer[]; readonly nextCursor?: string };
    jobs.push(...page.items);
    if (page.nextCursor === undefined) return jobs;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}

async function listed(what: string, isSeen: (job: JobAnswer) => boolean): Promise<readonly JobAnswer[]> {
  return poll(
    `${JOBS} Jobs are listed ${what}`,
    async () => {
      const jobs = await listedJobs();
      return jobs.length === JOBS && jobs.every(isSeen) ? jobs : undefined;
    },
    { patience: PATIENCE, pause: 1_000 },
  );
}

const sent = CLUSTERS.map(recorded);
const begunAt = Date.now();

async function begin(): Promise<void> {
  for (const { beginnings } of sent) await sendTwice(beginnings, begunAt);
  await listed("as begun", () => true);
}

/** The ends of all Jobs, and their beginnings once more. */
async function end(): Promise<void> {
  for (const { beginnings, ends } of sent) {
    await sendTwice(ends, begunAt + 10_000);
    await sendTwice(beginnings, begunAt);
  }
  await listed("as ended", ({ verdict }) => verdict.final);
}

/** What a summary says of these Jobs, counted from their list. */
function recount(jobs: readonly JobAnswer[]) {
  const byState: Record<string, number> = {};
  const findings: Record<string, number> = {};
  const pods = { seen: 0, succeeded: 0, failed: 0 };
  for (const job of jobs) {
    byState[job.verdict.state] = (byState[job.verdict.state] ?? 0) + 1;
    for (const kind of new Set(job.findings.map((each) => each.kind))) findings[kind] = (findings[kind] ?? 0) + 1;
    for (const kind of ["seen", "succeeded", "failed"] as const) pods[kind] += job.pods[kind];
  }
  return { jobs: jobs.length, byState, findings, pods };
}

async function summary(query = ""): Promise<SummaryAnswer> {
  return JSON.parse((await api.ask(`/v1/summary${query}`)).text) as SummaryAnswer;
}

/**
 * Lets the function fail while writes are delivered, so that Lambda delivers them again, in other batches. A quick
 * emulator delivers all of them in one batch, so that the first one is refused already.
 */
async function repeatDeliveries(write: () => Promise<unknown>): Promise<void> {
  if (proxy === undefined) throw new Error("The proxy was not started.");
  const stopping = proxy;
  stopping.stopWrites({ how: "refuse", containing: "countBatch#A", after: 0 });
  await write();
  await poll("a delivery is stopped", async () => (stopping.stopped > 0 ? true : undefined), { patience: PATIENCE });
  stopping.recover();
}

describe.skipIf(wanted.outcome === "skip")("the counts of a deployed stage", () => {
  it("are those of its Jobs after late facts, redeliveries, a killed function and a failed one", async () => {
    // Whose processes they are is known only where the emulator is a process of ours.
    const canKill = stack.emulator.by === "process";
    const how = canKill ? "hold" : "refuse";
    await stopRound({ how, write: begin, stop: () => canKill && tools.killFunctions() });
    await repeatDeliveries(end);
    // A sweep may change rows meanwhile, which are counted in the next round.
    await vi.waitFor(countsAreExact, { timeout: PATIENCE, interval: 5_000 });
  });
});

function isOverdue({ status: { conditions = [] } }: JobAnswer): boolean {
  return conditions.some(({ type, reason }) => type === "FailureTarget" && reason === "DeadlineExceeded");
}

describe.skipIf(wanted.outcome === "skip")("the shards of the sweep of a deployed stage", () => {
  const LONG_LIVED = 40;

  /** Live Jobs whose deadline has passed since their last fact. */
  function overdue(): RecordedCluster {
    const facts = Array.from({ length: LONG_LIVED }, (_, n) => {
      const story = new Story(`overdue-${n}`, formatInstant(Date.now() - HOUR));
      story.jobCreated({ activeDeadlineSeconds: 60 });
      story.jobTracked();
      story.jobReported({ startTime: story.now, active: 1 });
      return story.facts;
    });
    return { cluster: clusterNamed("overdue"), facts: facts.flat() };
  }

  it("visit all live Jobs at the same time, each its own", async () => {
    const cluster = overdue();
    // The sweep leaves rows that are as of the last minute.
    await tools.send(cluster, sealed(cluster, Date.now() - 10 * 60_000));
    const busy = new Set<number>();
    await poll("every Job was visited", async () => {
      const runs = await Promise.all(Array.from({ length: SWEEP_SHARDS }, (_, shard) => sweep({ shard })));
      runs.forEach((run, shard) => run.some(({ rows }) => rows > 0) && busy.add(shard));
      const jobs = await listedJobs("&cluster=overdue");
      return jobs.length === LONG_LIVED && jobs.every(isOverdue) ? true : undefined;
    });
    expect(busy.size).toBeGreaterThan(1);
  });
});

async function countsAreExact(): Promise<void> {
  await count();
  const jobs = await listedJobs();
  const counted = await summary();
  expect(counted).toMatchObject({ ...recount(jobs), complete: true });
  expect(counted.attention).toBe((await listedJobs("&attention=true")).length);
  expect(counted.asOf?.time).toBeDefined();
  await groupsAreExact(jobs);
  await usageIsExact();
}

/** The sums of usage are those of the Jobs that say what their Pods reserved: all that succeeded. */
async function usageIsExact(): Promise<void> {
  const jobs = await listedJobs("&usage=true");
  const { groups = [], asOf } = JSON.parse((await api.ask("/v1/usage?by=cluster")).text) as UsageReport;
  expect(asOf?.time).toBeDefined();
  for (const cluster of CLUSTERS) {
    const own = jobs.flatMap((job) => (job.cluster === cluster ? (job.usage ?? []) : []));
    const sum = (of: (usage: UsageReport["usage"]) => number | undefined): number =>
      own.reduce((total, usage) => total + (of(usage) ?? 0), 0);
    const { usage } = groups.find(({ key }) => key === cluster) ?? {};
    expect(own).toHaveLength(JOBS / CLUSTERS.length - Math.ceil(JOBS / CLUSTERS.length / 3));
    expect(usage?.pods).toBe(sum(({ pods }) => pods));
    expect(usage?.podSeconds.kept).toBe(sum(({ podSeconds }) => podSeconds.kept));
    expect(usage?.resources["memory"]?.total).toBe(sum(({ resources }) => resources["memory"]?.total));
  }
}

function hourOf({ createdAt }: JobAnswer): string {
  return `${createdAt.slice(0, 13)}:00:00Z`;
}

async function groupsAreExact(jobs: readonly JobAnswer[]): Promise<void> {
  for (const [by, keyOf] of [["cluster", ({ cluster }: JobAnswer) => cluster] as const, ["hour", hourOf] as const]) {
    const { groups = [] } = await summary(`?by=${by}`);
    expect(groups).toHaveLength(new Set(jobs.map(keyOf)).size);
    for (const { key, ...group } of groups) {
      expect(group, key).toMatchObject(recount(jobs.filter((job) => keyOf(job) === key)));
    }
  }
}
