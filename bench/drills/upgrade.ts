// Does a stage of an earlier release keep everything when this checkout is deployed over it? The earlier release is
// checked out and really deployed to an emulator, filled through its queue, and asked. Then this checkout is deployed
// over it with `cdk deploy`, while a cluster keeps sending. `node bench/drills/upgrade.ts --from REF` prints what
// happened when.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoProjections } from "../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import { createDynamoLog } from "../../src/adapters/dynamodb/log/dynamo-log.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { liveJobs } from "../../src/projection/live-projection.ts";
import { verifyProjection } from "../../src/upkeep/replay/verify-projection.ts";
import { createMessageQueue } from "../../src/adapters/sqs/message-queue.ts";
import { createSqsClient } from "../../src/adapters/sqs/sqs-client.ts";
import { createSqsSegmentQueue } from "../../src/adapters/sqs/sqs-segment-queue.ts";
import { type ApiClient, createApiClient } from "../../test/end-to-end/aws/api-client.ts";
import { type DeployedStack, deployStack, speakTo, upgradeStack } from "../../test/end-to-end/aws/deployed-stack.ts";
import { emulatorWanted } from "../../test/end-to-end/aws/emulator-wanted.ts";
import { poll } from "../../test/end-to-end/aws/poll.ts";
import { foldCluster, recordedClusters, sealed } from "../../test/end-to-end/aws/recorded-clusters.ts";
import { clusterNamed } from "../../test/support/facts/names.ts";

const ROOT = join(import.meta.dirname, "../..");
const PATIENCE = { patience: 600_000 };
/** These clusters have sent everything before the upgrade. */
const SETTLED = ["duplicate-execution", "failure-policy", "indexed", "kubelet-restart", "suspend-resume"];
/** This one sends a half before, the rest while functions are replaced, and some again afterwards. */
const SENDING = "deadline";
const PAUSE_MILLIS = 1_000;

const { from } = parseArgs({ options: { from: { type: "string" } } }).values;
const wanted = emulatorWanted();
if (from === undefined || wanted.outcome === "skip") {
  console.error("Usage: node bench/drills/upgrade.ts --from REF (a commit of an earlier release)");
  process.exit(2);
}
const began = performance.now();
const recorded = await recordedClusters();
const settled = recorded.filter(({ cluster }) => SETTLED.includes(cluster));
const [sending] = recorded.filter(({ cluster }) => cluster === SENDING);
if (sending === undefined || settled.length < SETTLED.length) {
  throw new Error(
    "The recordings of this drill are missing. It needs the folder ../shared beside the checkout (docs/tests.md).",
  );
}
const sentAt = Date.now() - 60_000;
const messages = sealed(sending, sentAt);
const half = Math.ceil(messages.length / 2);
const jobsOfSettled = (await Promise.all(settled.map(foldCluster))).flatMap(({ jobs }) => jobs);
const jobsOfSending = (await foldCluster(sending)).jobs;
const allJobs = [...jobsOfSettled, ...jobsOfSending];

const checkout = checkOut(from);
let stack: DeployedStack | undefined;
try {
  stack = await deployStack(wanted.name, undefined, { checkout });
  note(`deployed ${from} to ${wanted.name}`);
  speakTo(stack);
  await drill(stack, createApiClient(stack.apiUrl));
} finally {
  stack?.stop();
  git("worktree", "remove", "--force", checkout);
}

async function drill(deployed: DeployedStack, api: ApiClient): Promise<void> {
  const { QueueUrl } = deployed.outputs;
  for (const one of settled) await send(QueueUrl, one.cluster, sealed(one, sentAt));
  await send(QueueUrl, SENDING, messages.slice(0, half));
  await poll("the earlier release answers as the facts fold", () => isFolded(api, jobsOfSettled), PATIENCE);
  const before = await answersOf(api, jobsOfSettled);
  note(`it answers about ${before.size} Jobs of ${settled.length} clusters as their facts fold`);
  note(`its log: ${await logItems(deployed)}`);
  const cursor = await changesCursor(api);
  const upgrade = new AbortController();
  const rest = sendSlowly(QueueUrl, messages.slice(half), upgrade.signal);
  const outputs = await upgradeStack(deployed);
  upgrade.abort();
  const sent = await rest;
  note(`deployed this checkout over it; the tables are ${sameTables(deployed, outputs) ? "the same" : "OTHERS"}`);
  note(`meanwhile, ${SENDING} sent ${sent} of its ${messages.length} segments, one per second`);
  note(`right after: ${compared(before, await answersOf(api, jobsOfSettled))}`);
  const refused = await api.ask(`/v1/changes?cursor=${cursor}`);
  note(`its cursor of changes: ${refused.status} ${refused.status === 200 ? "" : detailOf(refused.text)}`);
  await send(QueueUrl, SENDING, [...messages.slice(half + sent), ...messages.slice(0, 2), ...messages.slice(-2)]);
  await poll("all Jobs answer as their facts fold", () => isFolded(api, allJobs), PATIENCE);
  note(`the rest arrived, and four segments again: all ${allJobs.length} Jobs answer as their facts fold`);
  note(`the log: ${await logItems(deployed)}`);
  note(`the projection compared with a fold of the log: ${await verified(deployed)}`);
}

/** The answers that the stage has, by uid. */
async function answersOf(api: ApiClient, jobs: readonly JobAnswer[]): Promise<ReadonlyMap<string, JobAnswer>> {
  const texts: (string | undefined)[] = [];
  for (const job of jobs) texts.push(await api.job(job));
  const answers = texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text) as JobAnswer]));
  return new Map(answers.map((answer) => [answer.uid, answer]));
}

async function isFolded(api: ApiClient, jobs: readonly JobAnswer[]): Promise<true | undefined> {
  const known = await answersOf(api, jobs);
  const isSame = jobs.every(({ uid, verdict }) => known.get(uid)?.verdict.state === verdict.state);
  return isSame ? true : undefined;
}

type Answers = ReadonlyMap<string, JobAnswer>;

function compared(before: Answers, after: Answers): string {
  const common = [...before.values()].flatMap((job) => {
    const later = after.get(job.uid);
    return later === undefined ? [] : [[job, later] as const];
  });
  const others = common.filter(([job, later]) => !isDeepStrictEqual(essence(job), essence(later)));
  const lost = before.size - common.length;
  return `${lost} Jobs lost, ${others.length} of ${common.length} with other verdicts, statuses or counts than before`;
}

/** What a release may not answer differently about facts that it knew before. */
function essence({ verdict, status, pods, reported, createdAt, finishedAt, deletedAt }: JobAnswer): object {
  return { verdict, status, pods, reported, createdAt, finishedAt, deletedAt };
}

async function verified({ outputs }: DeployedStack): Promise<string> {
  const client = new DynamoDBClient({});
  const { LogTable, MetaTable, JobsTableA, JobsTableB, RunsTableA, RunsTableB } = outputs;
  const log = createDynamoLog(client, { table: LogTable, retentionDays: 400 });
  const meta = createDynamoMetaStore(client, { table: MetaTable, retentionDays: 400 });
  const tables = { A: JobsTableA, B: JobsTableB };
  const runTables = { A: RunsTableA, B: RunsTableB };
  const jobs = await liveJobs(createDynamoProjections(client, { tables, runTables, retentionDays: 400 }), meta);
  const { mismatches, unreadable, jobs: count } = await verifyProjection({ log, meta, jobs });
  return `${count} Jobs, ${mismatches.length} mismatches, ${unreadable.length} unreadable items`;
}

async function changesCursor(api: ApiClient): Promise<string> {
  const { text } = await api.ask("/v1/changes");
  const { nextCursor = "" } = JSON.parse(text) as { readonly nextCursor?: string };
  return encodeURIComponent(nextCursor);
}

async function logItems({ outputs }: DeployedStack): Promise<string> {
  const { Items = [] } = await new DynamoDBClient({}).send(new ScanCommand({ TableName: outputs.LogTable }));
  const packs = Items.filter((item) => item["pack"] !== undefined).length;
  return `${Items.length - packs} segments of their own, ${packs} packs`;
}

function sameTables({ outputs }: DeployedStack, now: DeployedStack["outputs"]): boolean {
  const names = ["LogTable", "MetaTable", "JobsTableA", "JobsTableB", "QueueUrl"] as const;
  return names.every((name) => outputs[name] === now[name]);
}

/** Sends a segment per second until `signal` aborts. Returns how many. */
async function sendSlowly(queueUrl: string, some: readonly Uint8Array[], signal: AbortSignal): Promise<number> {
  let sent = 0;
  for (const bytes of some) {
    if (signal.aborted) break;
    await send(queueUrl, SENDING, [bytes]);
    sent += 1;
    await setTimeout(PAUSE_MILLIS);
  }
  return sent;
}

async function send(queueUrl: string, name: string, some: readonly Uint8Array[]): Promise<void> {
  const cluster = clusterNamed(name);
  const queue = createSqsSegmentQueue(createMessageQueue(createSqsClient(), queueUrl));
  const outcomes = await queue.send(some.map((bytes) => ({ cluster, bytes })));
  const failed = outcomes.find(({ outcome }) => outcome !== "accepted");
  if (failed !== undefined) throw new Error(`The queue did not accept a segment: ${JSON.stringify(failed)}`);
}

function detailOf(problem: string): string {
  return (JSON.parse(problem) as { readonly detail?: string }).detail ?? problem;
}

/** The earlier release in a folder of its own, with the packages of this checkout. */
function checkOut(ref: string): string {
  const folder = mkdtempSync(join(tmpdir(), "outlive-from-"));
  rmSync(folder, { recursive: true });
  git("worktree", "add", "--detach", folder, ref);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const built = spawnSync(process.execPath, ["web/build.ts"], { cwd: folder, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`web/build.ts of ${ref}: ${built.stderr.slice(-2_000)}`);
  return folder;
}

function git(...args: readonly string[]): void {
  const { status, stderr } = spawnSync("git", [...args], { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
}

function note(text: string): void {
  console.log(`${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${text}`);
}
