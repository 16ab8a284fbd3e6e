import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { setTimeout as pause } from "node:timers/promises";
import { InvokeCommand, LambdaClient, ListFunctionsCommand } from "@aws-sdk/client-lambda";
import {
  GetQueueAttributesCommand,
  ListQueuesCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { createMessageQueue } from "../../src/adapters/sqs/message-queue.ts";
import { type DeployedStack, deployStack, speakTo } from "../../test/end-to-end/aws/deployed-stack.ts";
import type { EmulatorName } from "../../test/emulators/emulator.ts";
import { reconfigureFunction } from "../../test/support/aws/reconfigure-function.ts";
import type { Killable } from "../fault-run/killable.ts";
import { ClockFile } from "./clock-file.ts";
import { StoreProxy } from "./store-proxy.ts";
import { until } from "./until.ts";
import type { Tracker } from "./world.ts";

export interface DeployedOptions {
  readonly scratch: string;
  readonly emulator: EmulatorName;
  readonly random: () => number;
}

/** A deployed stack, which several runs use one after the other, each with a cluster of its own. */
export interface Deployment {
  tracker(cluster: string): Tracker;
  stop(): void;
}

const ROOT = join(import.meta.dirname, "../..");
const MOST_VISIBILITY_SECONDS = 60;
/** The audit compares what is older than a quarter of an hour. */
const AUDITED_AFTER_MILLIS = 20 * 60_000;
const COUNTS = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] as const;

/**
 * The deployed functions on an emulator. They reach DynamoDB, SQS and S3 through a proxy, and have a clock that can
 * jump. Messages that were given up are sent again as an operator does: `outlive redrive`.
 */
export async function openDeployed({ scratch, emulator, random }: DeployedOptions): Promise<Deployment> {
  const stack = await deployStack(emulator);
  speakTo(stack);
  const stores = new StoreProxy(stack.emulator.endpoint, random);
  const clock = new ClockFile(join(scratch, "functions.clock"));
  const [lambda, sqs] = [new LambdaClient({}), new SQSClient({})];
  await redirect(lambda, await stores.start(), clock);
  const queues = await queuesOf(sqs);
  const functions = functionsOf(() => stack.emulator.functionProcesses());
  const auditing = { lambda, clock, functionName: stack.outputs.AuditFunction };
  return {
    tracker: (cluster) => ({
      api: stack.apiUrl,
      clusters: [cluster],
      processes: new Map([["functions", functions]]),
      disks: new Map(),
      clocks: new Map([["functions", clock]]),
      networks: new Map(),
      stores,
      sink: sinkTo(sqs, stack, cluster),
      start: () => {},
      settle: () => settle(queues, stack, auditing),
      leap: async (byMillis) => {
        clock.jump(byMillis);
        // Functions read the file several times a second.
        await pause(500);
      },
      verify: async () => {
        clock.reset();
        const { unapplied } = await audit(auditing);
        return unapplied === 0 ? [] : [`The audit found ${unapplied} log items that are not in the projection.`];
      },
      stop: () => {},
    }),
    stop: () => {
      stores.stop();
      stack.stop();
    },
  };
}

function sinkTo(sqs: SQSClient, { outputs }: DeployedStack, cluster: string): Tracker["sink"] {
  const queue = createMessageQueue(sqs, outputs.QueueUrl);
  return async (bodies) => {
    const outcomes = await queue.send(bodies.map((body) => ({ body, group: cluster })));
    const failed = outcomes.find(({ outcome }) => outcome !== "accepted");
    if (failed !== undefined) throw new Error(`The emulator did not take a message: ${JSON.stringify(failed)}`);
  };
}

interface Queues {
  readonly sqs: SQSClient;
  readonly working: readonly string[];
  /** The dead-letter queue. */
  readonly dead: readonly string[];
}

async function queuesOf(sqs: SQSClient): Promise<Queues> {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  for (const QueueUrl of QueueUrls) await hurry(sqs, QueueUrl);
  return { sqs, working: QueueUrls.filter((url) => !isDead(url)), dead: QueueUrls.filter(isDead) };
}

/** A failed refold is delivered again after six minutes, and a short run would wait for it. */
async function hurry(sqs: SQSClient, QueueUrl: string): Promise<void> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["VisibilityTimeout"] }),
  );
  if (Number(Attributes["VisibilityTimeout"]) <= MOST_VISIBILITY_SECONDS) return;
  const shorter = { VisibilityTimeout: `${MOST_VISIBILITY_SECONDS}` };
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: shorter }));
}

function isDead(queueUrl: string): boolean {
  return /DeadLetters/.test(queueUrl);
}

async function settle({ sqs, working, dead }: Queues, stack: DeployedStack, auditing: Auditing): Promise<void> {
  const empty = () => until("the queues are empty", async () => (await countAll(sqs, working)) === 0);
  await empty();
  if ((await countAll(sqs, dead)) > 0) {
    await outlive(["redrive", "--stage", stack.stage, "--what", "dead-letters"], stack.environment);
  }
  await audit(auditing);
  await empty();
}

async function countAll(sqs: SQSClient, urls: readonly string[]): Promise<number> {
  const counts = await Promise.all(urls.map((url) => countOf(sqs, url)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Each function reaches its stores at `endpoint` from now on, and has this clock. */
async function redirect(lambda: LambdaClient, endpoint: string, clock: ClockFile): Promise<void> {
  // LocalStack's functions would call DynamoDB Local past the proxy (test/emulators/localstack/launch.py).
  const endpoints = { AWS_ENDPOINT_URL: endpoint, AWS_ENDPOINT_URL_DYNAMODB: endpoint };
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  for (const { FunctionName = "" } of Functions) {
    await reconfigureFunction(lambda, FunctionName, { ...endpoints, NODE_OPTIONS: clock.nodeOptions });
  }
}

async function countOf(sqs: SQSClient, QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...COUNTS] }));
  return COUNTS.reduce((sum, name) => sum + Number(Attributes[name]), 0);
}

interface Auditing {
  readonly lambda: LambdaClient;
  readonly clock: ClockFile;
  readonly functionName: string;
}

/** The audit compares what is older than a quarter of an hour, so its clock is ahead. */
async function audit({ lambda, clock, functionName }: Auditing): Promise<{ readonly unapplied: number }> {
  clock.jump(AUDITED_AFTER_MILLIS);
  await pause(500);
  const answer = await lambda.send(new InvokeCommand({ FunctionName: functionName, Payload: "{}" }));
  clock.reset();
  const text = Buffer.from(answer.Payload ?? []).toString("utf8");
  if (answer.FunctionError !== undefined) throw new Error(`The audit failed: ${text}`);
  return JSON.parse(text) as { readonly unapplied: number };
}

async function outlive(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, "cli/main.ts"), ...args], { env });
}

/** All processes in which functions run at the moment. The emulator starts others when it needs them. */
function functionsOf(pids: () => readonly number[]): Killable {
  const stopped = new Set<number>();
  return {
    name: "functions",
    isRunning: () => pids().length > 0,
    kill: () => pids().forEach((pid) => signal(pid, "SIGKILL")),
    freeze: () => {
      for (const pid of pids()) {
        stopped.add(pid);
        signal(pid, "SIGSTOP");
      }
    },
    thaw: () => {
      for (const pid of stopped) signal(pid, "SIGCONT");
      stopped.clear();
    },
    start: () => {},
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (cause) {
    // It has ended by itself.
    if (!(cause instanceof Error && "code" in cause && cause.code === "ESRCH")) throw cause;
  }
}
