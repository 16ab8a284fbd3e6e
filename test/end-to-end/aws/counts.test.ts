import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CountReport } from "../../../functions/events/count-event.ts";
import { type CountPosition, countPosition } from "../../../src/counts/count-records.ts";
import { createDynamoMetaStore } from "../../../src/dynamodb/dynamo-meta-store.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { formatInstant } from "../../../src/job/model/instant.ts";
import type { MetaStore } from "../../../src/ports/meta.ts";
import { countPositionKey } from "../../../src/ports/meta-key.ts";
import { readRecord, writeRecord } from "../../../src/ports/records/record-codec.ts";
import type { SummaryAnswer } from "../../../src/query/summary/summary.ts";
import { reconfigureFunction } from "../../support/aws/reconfigure-function.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { Story } from "../../support/story/story.ts";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { type DeployedStack, deployStack, speakTo } from "./deployed-stack.ts";
import { emulatorWanted } from "./emulator-wanted.ts";
import { type FailingProxy, startFailingProxy } from "./failing-proxy.ts";
import { poll } from "./poll.ts";
import { type RecordedCluster, sealed } from "./recorded-clusters.ts";
import { createStackTools, type StackTools } from "./stack-tools.ts";

const wanted = emulatorWanted();
const PATIENCE = 600_000;
/** More than a summary counts from the Jobs themselves (src/query/summary/summary-of-sums.ts). */
const JOBS = 600;
const CLUSTERS = ["counted-eu", "counted-us"];
const HOUR = 3_600_000;
/** Writes of items of a round before it is stopped: the position, and some of the sums. */
const PUTS_BEFORE = 4;

let deployed: DeployedStack | undefined;
let stack: DeployedStack;
let proxy: FailingProxy;
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
  await reconfigureFunction(lambda(), stack.outputs.CountFunction.replace(/:live$/, ""), {
    AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
  });
}, PATIENCE);
afterAll(() => {
  deployed?.stop();
  proxy?.stop();
});

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

/** Stops the function after some writes of a round, by `stop`, and shows that the round is not complete. */
async function countStopped(how: "refuse" | "hold", stop: () => unknown): Promise<void> {
  proxy.stopWrites(how, PUTS_BEFORE);
  const running = count();
  await poll("the function waits for a write", async () => (proxy.stopped > 0 ? true : undefined), {
    patience: PATIENCE,
  });
  stop();
  expect((await running).counted).toBeUndefined();
  proxy.recover();
  expect((await position()).value.pending).toBeDefined();
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

/** Counts until every write before `since` is in the counts. */
async function countAll(since: number): Promise<void> {
  await poll(
    "everything is counted",
    async () => {
      await count();
      return ((await position()).value.countedTo ?? 0) > since ? true : undefined;
    },
    { patience: PATIENCE, pause: 5_000 },
  );
}

describe.skipIf(wanted.outcome === "skip")("the counts of a deployed stage", () => {
  const sent = CLUSTERS.map(recorded);
  const begunAt = Date.now();

  it(
    "are those of its Jobs after late facts, redeliveries, a killed function and a failed one",
    async () => {
      for (const { beginnings } of sent) await sendTwice(beginnings, begunAt);
      await listed("as begun", () => true);
      // Whose processes they are is known only where the emulator is a process of ours.
      const canKill = stack.emulator.by === "process";
      await countStopped(canKill ? "hold" : "refuse", () => canKill && tools.killFunctions());
      for (const { beginnings, ends } of sent) {
        await sendTwice(ends, begunAt + 10_000);
        await sendTwice(beginnings, begunAt);
      }
      const jobs = await listed("as ended", ({ verdict }) => verdict.final);
      await countStopped("refuse", () => {});
      await countAll(Date.now());
      const counted = await summary();
      expect(counted).toMatchObject({ ...recount(jobs), complete: true });
      expect(counted.attention).toBe((await listedJobs("&attention=true")).length);
      expect(counted.asOf?.time).toBeDefined();
      await groupsAreExact(jobs);
    },
    2 * PATIENCE,
  );
});

async function groupsAreExact(jobs: readonly JobAnswer[]): Promise<void> {
  const hourOf = ({ createdAt }: JobAnswer) => `${createdAt.slice(0, 13)}:00:00Z`;
  for (const [by, keyOf] of [["cluster", ({ cluster }: JobAnswer) => cluster] as const, ["hour", hourOf] as const]) {
    const { groups = [] } = await summary(`?by=${by}`);
    expect(groups).toHaveLength(new Set(jobs.map(keyOf)).size);
    for (const { key, ...group } of groups) {
      expect(group, key).toMatchObject(recount(jobs.filter((job) => keyOf(job) === key)));
    }
  }
}
