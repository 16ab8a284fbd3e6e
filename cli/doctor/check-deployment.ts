import { setTimeout as wait } from "node:timers/promises";
import { DEFAULT_RETENTION_DAYS } from "../../src/ports/deployment/retention.ts";
import { createDynamoClient } from "../../src/adapters/dynamodb/dynamo-client.ts";
import { createDynamoLog } from "../../src/adapters/dynamodb/log/dynamo-log.ts";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoProjections } from "../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import { sealProbe } from "../../src/log/probe.ts";
import type { Log } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { Registrations } from "../../src/ports/registrations/registrations.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { SegmentQueue } from "../../src/ports/segment-queue.ts";
import { readAccountConcurrency } from "../../src/adapters/lambda/account-concurrency.ts";
import { createLambdaClient } from "../../src/adapters/lambda/lambda-client.ts";
import { createMessageQueue } from "../../src/adapters/sqs/message-queue.ts";
import { createSqsClient } from "../../src/adapters/sqs/sqs-client.ts";
import { createSsmClient } from "../../src/adapters/ssm/ssm-client.ts";
import { createSsmRegistrations } from "../../src/adapters/ssm/ssm-registrations.ts";
import { createSqsSegmentQueue } from "../../src/adapters/sqs/sqs-segment-queue.ts";
import type { ApiClient } from "../../src/host/client/api-client.ts";
import type { Credentials } from "../../src/host/client/credentials.ts";
import { type Deployment, readDeployment } from "../deployment/deployment.ts";
import { remoteClient } from "../../src/host/client/remote-client.ts";
import { type Check, checkThat, ok } from "./check.ts";
import { checkApi } from "./check-api.ts";
import { checkConcurrency } from "./check-concurrency.ts";
import { checkProbe } from "./check-probe.ts";
import { checkAcknowledgements, checkFreshness, checkSetAside, checkSenders } from "./check-records.ts";

export interface DeploymentOptions {
  readonly stage: string;
  /** The address of the API, if it is not that of the stage's outputs. */
  readonly server?: string;
  /** The credentials for an address. */
  readonly openCredentials: (address: string) => Promise<Credentials>;
  /** The endpoint of an emulator. Addresses in the stage's outputs resolve on AWS only. */
  readonly endpointUrl?: string;
  readonly timeoutMillis: number;
}

/** Checks a deployment from end to end. */
export async function* checkDeployment(options: DeploymentOptions): AsyncGenerator<Check> {
  let parts: Parts | undefined;
  yield await checkThat("stage", async () => {
    parts = await openParts(await readDeployment(options.stage), options);
    return ok(`The outputs of ${options.stage} name all resources.`);
  });
  if (parts !== undefined) yield* checkParts(parts, options);
}

async function* checkParts(parts: Parts, { timeoutMillis }: DeploymentOptions): AsyncGenerator<Check> {
  const { api, concurrencyNeeded, registrations, ...stores } = parts;
  const { meta } = stores;
  const tables = await checkTables(parts);
  yield* tables;
  if (tables.some(({ result }) => result === "failed")) return;
  yield await checkConcurrency(concurrencyNeeded, () => readAccountConcurrency(createLambdaClient()));
  yield await checkFreshness(meta, Date.now());
  yield await checkSenders(meta, registrations);
  yield await checkSetAside(meta, Date.now());
  yield await checkAcknowledgements(meta);
  let isApiUsable = true;
  for await (const check of checkApi(api, Date.now)) {
    yield check;
    isApiUsable = check.result !== "failed";
  }
  yield* checkProbe({
    ...stores,
    ...(isApiUsable && { api }),
    now: Date.now,
    pause: () => wait(POLL_MILLIS),
    timeoutMillis,
  });
}

const POLL_MILLIS = 500;

interface Parts {
  readonly log: Log;
  readonly meta: MetaStore;
  readonly projections: Projections;
  readonly queue: SegmentQueue;
  readonly registrations: Registrations;
  readonly api: ApiClient;
  readonly concurrencyNeeded: number;
}

async function openParts(deployment: Deployment, options: DeploymentOptions): Promise<Parts> {
  const { output } = deployment;
  const address = options.server ?? apiAddress(deployment, options);
  const client = createDynamoClient();
  return {
    log: createDynamoLog(client, { table: output("LogTable"), retentionDays: DEFAULT_RETENTION_DAYS }),
    meta: createDynamoMetaStore(client, { table: output("MetaTable"), retentionDays: DEFAULT_RETENTION_DAYS }),
    projections: createDynamoProjections(client, {
      tables: { A: output("JobsTableA"), B: output("JobsTableB") },
      runTables: { A: output("RunsTableA"), B: output("RunsTableB") },
      retentionDays: DEFAULT_RETENTION_DAYS,
    }),
    queue: createSqsSegmentQueue(createMessageQueue(createSqsClient(), output("QueueUrl"))),
    registrations: createSsmRegistrations(createSsmClient(), deployment.stage),
    api: remoteClient(address, await options.openCredentials(address)),
    concurrencyNeeded: Number(output("ConcurrencyNeeded")),
  };
}

/** The address of the API, also on an emulator. */
export function apiAddress({ output }: Deployment, { endpointUrl }: Pick<DeploymentOptions, "endpointUrl">): string {
  const address = output("ApiUrl");
  if (endpointUrl === undefined) return address;
  const stage = new URL(address).pathname.split("/").find((part) => part !== "") ?? "";
  return `${endpointUrl.replace(/\/$/, "")}/_aws/execute-api/${output("RestApiId")}/${stage}`;
}

/** Checks that each table exists and can be read. */
async function checkTables({ log, meta, projections }: Parts): Promise<readonly Check[]> {
  const { sealed, job } = sealProbe(Date.now());
  return Promise.all([
    checkThat("log", async () => {
      await log.read(sealed.key);
      return ok("The log's table exists and can be read.");
    }),
    checkThat("records", async () => {
      await meta.list("cluster", { prefix: "", limit: 1 });
      return ok("The metadata table exists and can be read.");
    }),
    checkThat("jobs", async () => {
      await Promise.all([projections.open("A").read(job), projections.open("B").read(job)]);
      return ok("Both tables of Jobs exist and can be read.");
    }),
    checkThat("runs", async () => {
      await Promise.all([projections.runs("A").read(job), projections.runs("B").read(job)]);
      return ok("Both tables of runs exist and can be read.");
    }),
  ]);
}
