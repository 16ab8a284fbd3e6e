import {
  DeleteItemCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { expect } from "vitest";
import { createDynamoMetaStore } from "../../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoLog } from "../../../src/adapters/dynamodb/log/dynamo-log.ts";
import { DEFAULT_PACK_SHARDS } from "../../../src/ports/deployment/limits.ts";
import type { MetricName } from "../../../src/ports/deployment/metrics.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { appendPacked } from "../../../src/log/append-packed.ts";
import type { SealedItem } from "../../../src/log/ingest-segment.ts";
import { LogHourRegistry } from "../../../src/log/log-hour-registry.ts";
import { ARCHIVE_VERIFIED_KEY, LIVE_KEY } from "../../../src/ports/meta-key.ts";
import { archiveVerifiedRecord } from "../../../src/ports/records/archive-verified-record.ts";
import { readRecord, writeRecord } from "../../../src/ports/records/record-codec.ts";
import { decodeSegment } from "../../../src/segment/decode-segment.ts";
import { segmentKey } from "../../../src/segment/segment-key.ts";
import { createMessageQueue } from "../../../src/adapters/sqs/message-queue.ts";
import { queueDepth } from "../../../src/adapters/sqs/queue-depth.ts";
import { createSqsSegmentQueue } from "../../../src/adapters/sqs/sqs-segment-queue.ts";
import { reconfigureFunction } from "../../support/aws/reconfigure-function.ts";
import { type Ran, runOutlive } from "../../support/running/run-outlive.ts";
import { readCheckpoint } from "../../../src/upkeep/replay/stored-checkpoint.ts";
import type { DeployedStack } from "./deployed-stack.ts";
import { publishedBy } from "./function-log.ts";
import { poll } from "./poll.ts";
import type { RecordedCluster } from "./recorded-clusters.ts";

/** What the suite does to a deployed stack, as its operators and its accidents do. */
export type StackTools = ReturnType<typeof createStackTools>;

export function createStackTools({ stage, outputs, environment, emulator }: DeployedStack) {
  const sqs = new SQSClient({});
  const dynamo = new DynamoDBClient({});
  const lambda = new LambdaClient({});
  const meta = createDynamoMetaStore(dynamo, { table: outputs.MetaTable, retentionDays: 400 });

  const sendTo = async (queueUrl: string, cluster: RecordedCluster["cluster"], messages: readonly Uint8Array[]) => {
    const queue = createSqsSegmentQueue(createMessageQueue(sqs, queueUrl));
    const outcomes = await queue.send(messages.map((bytes) => ({ cluster, bytes })));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(["accepted"]));
  };
  const invoke = async (functionName: string, event: unknown): Promise<unknown> => {
    const { text, failed } = await poll(`${functionName} reaches its tables`, async () => {
      const answer = await lambda.send(
        new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(event) }),
      );
      const text = Buffer.from(answer.Payload ?? []).toString("utf8");
      // A busy emulator may not accept a connection in time. As on AWS, the caller tries again.
      return answer.FunctionError !== undefined && text.includes("cannot be reached. Try again")
        ? undefined
        : { text, failed: answer.FunctionError };
    });
    expect(failed, text).toBeUndefined();
    return JSON.parse(text);
  };
  const outlive = (args: readonly string[]): Promise<Ran> => runOutlive(args, { cwd: process.cwd(), env: environment });
  const liveProjection = async () => (await meta.read("live", LIVE_KEY))?.value;
  const setOn = (name: string, variables: Readonly<Record<string, string>>) =>
    reconfigureFunction(lambda, name, variables);
  const setOnIngest = (variables: Readonly<Record<string, string>>) => setOn(outputs.IngestFunction, variables);

  return {
    send: ({ cluster }: RecordedCluster, messages: readonly Uint8Array[]) =>
      sendTo(outputs.QueueUrl, cluster, messages),
    /** As if the ingest function had failed on them five times. */
    sendToDeadLetters: ({ cluster }: RecordedCluster, messages: readonly Uint8Array[]) =>
      sendTo(outputs.DlqUrl, cluster, messages),
    deadLetters: () => queueDepth(sqs, outputs.DlqUrl),
    /** Messages in the queue of segments, those that ingest holds included. */
    waiting: () => queueDepth(sqs, outputs.QueueUrl),
    outlive,
    liveProjection,
    setAside: async () => {
      const { records } = await meta.list("setAside", { prefix: "", limit: 1000 });
      return records.map(({ key, value }) => ({
        key,
        reason: (JSON.parse(value) as { readonly reason: string }).reason,
      }));
    },
    /** Writes over the Job's state what no release of Outlive wrote. */
    breakState: async (job: JobAnswer) => {
      const item = { ...stateOf(job), version: { N: "1" }, state: { B: Buffer.from("rubbish") } };
      for (const TableName of [outputs.JobsTableA, outputs.JobsTableB]) {
        await dynamo.send(new PutItemCommand({ TableName, Item: item }));
      }
    },
    /** Deletes the states of Jobs, as their expiry does. */
    expireStates: async (jobs: readonly JobAnswer[]) => {
      for (const TableName of [outputs.JobsTableA, outputs.JobsTableB]) {
        for (const job of jobs) await dynamo.send(new DeleteItemCommand({ TableName, Key: stateOf(job) }));
      }
    },
    mendState: async (job: JobAnswer) => {
      for (const TableName of [outputs.JobsTableA, outputs.JobsTableB]) {
        await dynamo.send(new DeleteItemCommand({ TableName, Key: stateOf(job) }));
      }
    },
    /** Appends segments to the log as if they had arrived at `arrivedAt`, and expired `logDays` later. */
    appendAt: async (messages: readonly Uint8Array[], arrivedAt: number, logDays?: number) => {
      const { packs } = createDynamoLog(dynamo, { table: outputs.LogTable, retentionDays: 400, logDays });
      if (packs === undefined) throw new Error("The log has no packs.");
      const packer = { packs, hours: new LogHourRegistry(meta), shards: DEFAULT_PACK_SHARDS, now: () => arrivedAt };
      const outcomes = await appendPacked(
        packer,
        messages.map((bytes) => ({ item: opened(bytes), isAlone: false })),
      );
      expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(["appended"]));
    },
    /** What the archive function reports, or its error. */
    archive: async (): Promise<unknown> => {
      const request = new InvokeCommand({ FunctionName: outputs.ArchiveFunction, Payload: "{}" });
      const { Payload = [] } = await lambda.send(request);
      return JSON.parse(Buffer.from(Payload).toString("utf8") || "null");
    },
    /** What the retain function reports. */
    retain: () => invoke(outputs.RetainFunction, {}),
    /** The packs in the log's table. */
    logged: async (): Promise<number> => {
      const { Count = 0 } = await dynamo.send(new ScanCommand({ TableName: outputs.LogTable, Select: "COUNT" }));
      return Count;
    },
    /** Whether the log's table deletes what has expired. */
    logExpiry: async () => {
      const described = await dynamo.send(new DescribeTimeToLiveCommand({ TableName: outputs.LogTable }));
      return described.TimeToLiveDescription?.TimeToLiveStatus;
    },
    /** Moves the hour up to which the archive is verified. Returns the one before. */
    setVerified: async (beginAt: number): Promise<number> => {
      const stored = await readRecord(meta, archiveVerifiedRecord, ARCHIVE_VERIFIED_KEY);
      if (stored === undefined) throw new Error("The archive is not verified.");
      const { value, version: expected } = stored;
      const moved = { key: ARCHIVE_VERIFIED_KEY, value: { ...value, beginAt }, expected };
      expect(await writeRecord(meta, archiveVerifiedRecord, moved)).toMatchObject({ outcome: "written" });
      return value.beginAt;
    },
    /** From now on the archive function reaches S3 at this address. */
    redirectArchive: (url: string) => setOn(outputs.ArchiveFunction, { AWS_ENDPOINT_URL_S3: url }),
    audit: () => invoke(outputs.AuditFunction, {}),
    /** Lets the count function count. Where it is at work already, it reports so. */
    count: () => invoke(outputs.CountFunction, {}),
    /** The sum that the count function has published of a metric, from the lines of its log. */
    published: (metric: MetricName): Promise<number> =>
      publishedBy(lambda, environment, { functionName: outputs.CountFunction, metric }),
    /** Resolves once a replay is at work. */
    replayBegins: () =>
      poll("a replay begins", async () => {
        const stored = await readCheckpoint(meta);
        return stored === undefined || stored.checkpoint.stage.stage === "ended" ? undefined : true;
      }),
    /** Rebuilds the idle projection, and waits until it answers. */
    replay: async (): Promise<void> => {
      const before = await liveProjection();
      const { status, stderr } = await outlive(["replay", "--stage", stage]);
      expect([status, stderr]).toEqual([0, expect.stringContaining("is live")]);
      expect(await liveProjection()).not.toBe(before);
    },
    /** Kills every process in which a function runs, wherever it is. */
    killFunctions: () => {
      for (const pid of emulator.functionProcesses()) {
        try {
          process.kill(pid, "SIGKILL");
        } catch (cause) {
          if (!(cause instanceof Error && "code" in cause && cause.code === "ESRCH")) throw cause;
        }
      }
    },
    /** From now on a sender must be registered, as on a stage that is kept. */
    closeIngest: () => setOnIngest({ OUTLIVE_OPEN_MODE: "false" }),
    /** From now on ingest reaches DynamoDB at this address. */
    redirectIngest: (url: string) => setOnIngest({ AWS_ENDPOINT_URL_DYNAMODB: url }),
  };
}

function opened(bytes: Uint8Array): SealedItem {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  const { segment, sha256 } = decoded;
  return { key: segmentKey(segment), bytes, sha256, factCount: segment.facts.length, segment };
}

function stateOf({ cluster, uid }: JobAnswer) {
  return { pk: { S: `${cluster}#${uid}` }, sk: { S: "S" } };
}
