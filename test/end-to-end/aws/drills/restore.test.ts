import {
  CreateTableCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  type AttributeValue,
} from "@aws-sdk/client-dynamodb";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  PutBucketReplicationCommand,
  PutBucketVersioningCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hourBegin, hourOf } from "../../../../src/archive/layout/archive-hour.ts";
import type { ObjectStore } from "../../../../src/ports/object-store.ts";
import { createS3Client } from "../../../../src/adapters/s3/s3-client.ts";
import { createS3Objects } from "../../../../src/adapters/s3/s3-objects.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { collect } from "../../../support/running/collect.ts";
import { startOutlive } from "../../../support/running/run-outlive.ts";
import { type ApiClient, createApiClient, jobPath } from "../api-client.ts";
import { type DeployedStack, deployBeside, deployStack, speakTo, TRIAL } from "../deployed-stack.ts";
import { isArchived } from "../describe-archive.ts";
import { emulatorWanted } from "../emulator-wanted.ts";
import { poll } from "../poll.ts";
import { foldCluster, type RecordedCluster, recordedClusters, sealed } from "../recorded-clusters.ts";
import { createStackTools, type StackTools } from "../stack-tools.ts";

const wanted = emulatorWanted();
/** LocalStack's free edition has no Glue and no Athena, which belong to an archive. */
const isSkipped = wanted.outcome === "skip" || wanted.name !== "ministack";
const NAMES = ["deadline", "duplicate-execution", "ttl", "phantom-running", "kubelet-restart"];

let lost: DeployedStack;
let restored: DeployedStack;
let clusters: readonly RecordedCluster[];
let tools: StackTools;
let replica: ObjectStore;
let deployed: DeployedStack | undefined;

beforeAll(async () => {
  if (isSkipped) return;
  clusters = (await recordedClusters()).filter(({ cluster }) => NAMES.includes(cluster));
  deployed = lost = await deployStack("ministack", { ...TRIAL, archive: "true" });
  speakTo(lost);
  tools = createStackTools(lost);
  await replicateTo("replica");
  await fill();
  await poll("the closed hours are archived", async () => (isArchived(await tools.archive()) ? true : undefined));
  replica = objectsIn("replica");
  await poll("S3 has replicated the archive", async () => ((await isReplicated()) ? true : undefined));
  restored = await deployBeside(lost, { ...TRIAL, stage: "restored", archive: "true" });
});
afterAll(() => deployed?.stop());

/** Every recording arrives in an hour that has closed. A part of one arrives late, an hour after it was sealed. */
async function fill(): Promise<void> {
  for (const [index, cluster] of clusters.entries()) {
    // Each in a millisecond of its own: a restore joins the packs that arrived in one shard in the same millisecond.
    const arrivedAt = hourBegin(hourOf(Date.now()) - 5 + (index % 3)) + 1_000 + index;
    const segments = sealed(cluster, arrivedAt - 500);
    await tools.appendAt(segments.slice(1), arrivedAt);
    await tools.appendAt(segments.slice(0, 1), arrivedAt + 3_600_000);
  }
}

function objectsIn(bucket: string): ObjectStore {
  return createS3Objects(createS3Client({ endpoint: lost.emulator.endpoint }), { bucket, prefix: "archive" });
}

/** Lets S3 replicate the archive into another bucket, as docs/disaster-recovery.md says. */
async function replicateTo(bucket: string): Promise<void> {
  const client = createS3Client({ endpoint: lost.emulator.endpoint });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  await client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: "Enabled" } }));
  const rule = {
    ID: "archive",
    Priority: 1,
    Status: "Enabled" as const,
    Filter: { Prefix: "archive/" },
    DeleteMarkerReplication: { Status: "Disabled" as const },
    Destination: { Bucket: `arn:aws:s3:::${bucket}` },
  };
  await client.send(
    new PutBucketReplicationCommand({
      Bucket: lost.outputs.ArchiveBucket,
      ReplicationConfiguration: { Role: "arn:aws:iam::000000000000:role/replication", Rules: [rule] },
    }),
  );
}

async function keys(store: ObjectStore): Promise<readonly string[]> {
  return (await collect(store.list(""))).map(({ key }) => key);
}

async function isReplicated(): Promise<boolean> {
  const copied = new Set(await keys(replica));
  return (await keys(objectsIn(lost.outputs.ArchiveBucket))).every((key) => copied.has(key));
}

/** A copy of the archive in a bucket that can be changed. */
async function copyTo(bucket: string): Promise<ObjectStore> {
  await createS3Client({ endpoint: lost.emulator.endpoint }).send(new CreateBucketCommand({ Bucket: bucket }));
  const [from, to] = [objectsIn(lost.outputs.ArchiveBucket), objectsIn(bucket)];
  for (const { key } of await collect(from.list(""))) {
    await to.putIfAbsent(key, (await from.read(key)) ?? new Uint8Array());
  }
  return to;
}

const dynamo = (): DynamoDBClient => new DynamoDBClient({});
type Items = readonly Record<string, AttributeValue>[];

async function itemsOf(table: string): Promise<Items> {
  const items: Record<string, AttributeValue>[] = [];
  let from: Record<string, AttributeValue> | undefined;
  do {
    const scan = new ScanCommand({ TableName: table, ...(from && { ExclusiveStartKey: from }) });
    const page = await dynamo().send(scan);
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function nameOf({ pk, sk }: Record<string, AttributeValue>): string {
  return `${pk?.S ?? ""} ${sk?.S ?? ""}`;
}

const ROUTES = ["", "/pods", "/history", "/why"];

/** Every answer about every Job, by its path. */
async function answersOf(api: ApiClient): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const cluster of clusters) {
    for (const job of (await foldCluster(cluster)).jobs) {
      for (const route of ROUTES) {
        const path = `${jobPath(job)}${route}?uid=${job.uid}`;
        const { status, text } = await api.ask(path);
        answers.set(path, `${status} ${text}`);
      }
    }
  }
  return answers;
}

function restore(args: readonly string[]) {
  return tools.outlive(["restore", ...args]);
}

describe.skipIf(isSkipped)("a new stage that is restored from a copy of the archive of another one", () => {
  it("stays empty if the copy is damaged, and the object is named", async () => {
    const damaged = await copyTo("damaged");
    const [segments] = (await collect(damaged.list("segments/"))).map(({ key }) => key);
    const client = createS3Client({ endpoint: lost.emulator.endpoint });
    await client.send(new DeleteObjectCommand({ Bucket: "damaged", Key: `archive/${segments ?? ""}` }));
    const { status, stderr } = await restore([damaged.name, "--stage", restored.stage]);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${segments ?? ""}: missing`)]);
    expect(await itemsOf(restored.outputs.LogTable)).toEqual([]);
    expect(await collect(objectsIn(restored.outputs.ArchiveBucket).list(""))).toEqual([]);
  });

  it("is complete after a restore that was killed was repeated", async () => {
    const args = ["restore", replica.name, "--stage", restored.stage];
    const running = startOutlive(args, { cwd: process.cwd(), env: lost.environment });
    const copied = objectsIn(restored.outputs.ArchiveBucket);
    await poll(
      "some of the archive is copied",
      async () => ((await collect(copied.list(""))).length > 0 ? true : undefined),
      { pause: 5 },
    );
    expect((await running.kill()).status).toBeNull();
    const { status, stderr } = await restore([replica.name, "--stage", restored.stage]);
    expect([status, stderr]).toEqual([0, expect.stringContaining("Projection B of restored is live")]);
  });

  it("gives every answer of the other stage, byte for byte", async () => {
    const before = await answersOf(createApiClient(lost.apiUrl));
    expect(before.size).toBeGreaterThan(20);
    expect(new Set([...before.values()].map((answer) => answer.slice(0, 3)))).toEqual(new Set(["200"]));
    expect(await answersOf(createApiClient(restored.apiUrl))).toEqual(before);
  });

  it("changes nothing when it is restored again", async () => {
    const before = await itemsOf(restored.outputs.LogTable);
    const { status, stderr } = await restore([replica.name, "--stage", restored.stage]);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/Restored 0 segments.*were there already/)]);
    expect(await itemsOf(restored.outputs.LogTable)).toEqual(before);
  });

  it("continues the archive", async () => {
    const stage = createStackTools(restored);
    const [cluster] = clusters;
    if (cluster === undefined) throw new Error("There are no recordings.");
    const fresh = { ...cluster, cluster: clusterNamed("after-the-restore") };
    await stage.send(fresh, sealed(fresh, Date.now()));
    // Its archiver takes the copied chain for its own, whether or not an hour has closed since.
    expect(await stage.archive()).toMatchObject({ isBehind: false });
    const own = new Set(await keys(objectsIn(restored.outputs.ArchiveBucket)));
    // It may compact a day that is old enough by now, and then removes that day's parts.
    const chain = (await keys(replica)).filter((key) => /^(?:manifest|segments)\//.test(key));
    expect(chain.filter((key) => !own.has(key))).toEqual([]);
    expect(chain).not.toEqual([]);
    const { status, stderr } = await tools.outlive(["archive", "verify", "--stage", restored.stage]);
    expect([status, stderr]).toEqual([0, expect.stringContaining("no problems")]);
  });
});

/** DynamoDB restores a table only under another name. Emulators restore none, so the items are copied. */
async function copyLog(name: string): Promise<Items> {
  const items = await itemsOf(lost.outputs.LogTable);
  const keys = {
    AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" as const })),
  };
  await dynamo().send(
    new CreateTableCommand({
      TableName: name,
      ...keys,
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
  for (const Item of items) await dynamo().send(new PutItemCommand({ TableName: name, Item }));
  return items;
}

describe.skipIf(isSkipped)("a stage whose log lost segments", () => {
  it("has every item again, byte for byte, from a copy of its table, and gives the same answers", async () => {
    const api = createApiClient(lost.apiUrl);
    const [answers, items] = [await answersOf(api), await copyLog("log-before")];
    for (const { pk, sk } of items.filter((_, index) => index % 3 !== 0)) {
      if (pk === undefined || sk === undefined) throw new Error("An item has no key.");
      await dynamo().send(new DeleteItemCommand({ TableName: lost.outputs.LogTable, Key: { pk, sk } }));
    }
    expect((await itemsOf(lost.outputs.LogTable)).length).toBeLessThan(items.length);
    const { status, stderr } = await restore(["--table", "log-before", "--stage", lost.stage]);
    expect([status, stderr]).toEqual([0, expect.stringContaining("Projection B of trial is live")]);
    expect(await itemsOf(lost.outputs.LogTable)).toEqual(items);
    expect(await answersOf(api)).toEqual(answers);
  });

  it("refuses a table that is no log", async () => {
    const { status, stderr } = await restore(["--table", lost.outputs.MetaTable, "--stage", lost.stage]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("is not a log of Outlive")]);
  });
});
