import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hourBegin, hourOf } from "../../../../src/archive/layout/archive-hour.ts";
import { createDynamoClient } from "../../../../src/adapters/dynamodb/dynamo-client.ts";
import { createDynamoMetaStore } from "../../../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { partKeyOf, writeSchedulePart } from "../../../../src/count/metrics/schedules/schedule-part.ts";
import { createDynamoEraser } from "../../../../src/adapters/dynamodb/erase/dynamo-eraser.ts";
import { listErasures } from "../../../../src/log/erasure/stored-erasures.ts";
import { listRecords } from "../../../../src/ports/list-records.ts";
import { ARCHIVE_ERASURES_KEY, ERASURES_KEY } from "../../../../src/ports/meta-key.ts";
import { createS3Client } from "../../../../src/adapters/s3/s3-client.ts";
import { endedJob } from "../../../support/archive/archive-scene.ts";
import { searchBucket, searchTable } from "../../../support/erasure/search-stage.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { collect } from "../../../support/running/collect.ts";
import { startOutlive } from "../../../support/running/run-outlive.ts";
import { createApiClient, jobPath } from "../api-client.ts";
import { type DeployedStack, deployStack, speakTo, TRIAL } from "../deployed-stack.ts";
import { isArchived } from "../describe-archive.ts";
import { emulatorWanted } from "../emulator-wanted.ts";
import { poll } from "../poll.ts";
import { sealed } from "../recorded-clusters.ts";
import { createStackTools, type StackTools } from "../stack-tools.ts";

const wanted = emulatorWanted();
/** LocalStack's free edition has no Glue and no Athena, which belong to an archive. */
const isSkipped = wanted.outcome === "skip" || wanted.name !== "ministack";
const NAMESPACE = "quokka-bank";
const CRON_JOB = "potoroo-nightly";
const [SECRET, SIBLING, NEIGHBOUR] = ["wombat-payroll", "bilby-report", "dingo-backup"] as const;
const [east, west] = [clusterNamed("east"), clusterNamed("west")];

let stack: DeployedStack;
let tools: StackTools;
let deployed: DeployedStack | undefined;
let messages: readonly { readonly cluster: typeof east; readonly bytes: Uint8Array }[];
let arrivedAt: number;

beforeAll(async () => {
  if (isSkipped) return;
  deployed = stack = await deployStack("ministack", { ...TRIAL, archive: "true", erasure: "true" });
  speakTo(stack);
  tools = createStackTools(stack);
  arrivedAt = hourBegin(hourOf(Date.now()) - 4) + 60_000;
  const job = { createdAt: arrivedAt - 30_000, namespace: NAMESPACE };
  const facts = [
    ...endedJob({ ...job, name: SECRET, succeeds: false }),
    ...endedJob({ ...job, name: SIBLING }),
    ...endedJob({ name: NEIGHBOUR, createdAt: job.createdAt, namespace: "zoo" }),
  ];
  const sealedOf = (cluster: typeof east) =>
    sealed({ cluster, facts }, arrivedAt - 500).map((bytes) => ({ cluster, bytes }));
  messages = [...sealedOf(east), ...sealedOf(west)];
  await tools.appendAt(
    messages.map(({ bytes }) => bytes),
    arrivedAt,
  );
  await poll("the closed hours are archived", async () => (isArchived(await tools.archive()) ? true : undefined));
  await poll("the Jobs are projected", async () => ((await answerOf(east, NEIGHBOUR, "zoo")) ? true : undefined));
});
afterAll(() => deployed?.stop());

async function answerOf(cluster: string, name: string, namespace = NAMESPACE): Promise<string | undefined> {
  const { status, text } = await createApiClient(stack.apiUrl).ask(jobPath({ cluster, namespace, name, uid: "" }));
  return status === 200 ? text : undefined;
}

/** Every store of the stage. */
async function search(texts: readonly string[]) {
  const { LogTable, JobsTableA, JobsTableB, RunsTableA, RunsTableB, MetaTable, ArchiveBucket } = stack.outputs;
  const { SetAsideBucket, GivenUpBucket, QueryResultsBucket, ReplayBucket } = stack.outputs;
  const s3 = createS3Client({ endpoint: stack.emulator.endpoint });
  const found = [];
  const tables = [LogTable, JobsTableA, JobsTableB, RunsTableA, RunsTableB, MetaTable];
  for (const table of tables) found.push(...(await searchTable(table, texts)));
  for (const bucket of [ArchiveBucket, SetAsideBucket, GivenUpBucket, QueryResultsBucket, ReplayBucket]) {
    found.push(...(await searchBucket(s3, bucket, texts)));
  }
  return [...new Set(found.map(({ where, text }) => `${where} ${text}`))].toSorted();
}

/** What the count function stores of a CronJob with a missed run. */
async function countCronJob(): Promise<void> {
  const meta = records();
  const counted = { missed: 1, recent: [], until: arrivedAt, shown: 1, kinds: ["MissedRun"], open: [] };
  const cronJob = { uid: "c-1", namespace: NAMESPACE, name: CRON_JOB, ...counted };
  const key = partKeyOf(east, cronJob.uid);
  expect(await writeSchedulePart(meta, { key, part: { cronJobs: [cronJob], ended: [] }, version: 0 })).toBe(true);
}

const erase = (...args: readonly string[]) =>
  tools.outlive(["erase", ...args, "--stage", stack.stage, "--reason", "request 12", "--yes", "--wait", "1"]);

const replay = () => tools.outlive(["replay", "--stage", stack.stage]);

const records = () =>
  createDynamoMetaStore(createDynamoClient(), { table: stack.outputs.MetaTable, retentionDays: 400 });

async function redeliver(): Promise<void> {
  for (const { cluster, bytes } of messages) await tools.send({ cluster, facts: [] }, [bytes]);
  await poll("the queue is empty", async () => ((await tools.waiting()) === 0 ? true : undefined));
}

/** Kills the command while it removes data. */
async function eraseKilled(...args: readonly string[]): Promise<void> {
  const before = (await listErasures(records())).length;
  const named = ["--stage", stack.stage, "--reason", "request 12", "--yes", "--wait", "1"];
  const running = startOutlive(["erase", ...args, ...named], { cwd: process.cwd(), env: stack.environment });
  await poll(
    "the erasure removes data",
    async () => ((await listErasures(records())).some(({ record }) => record.stage === "erasing") ? true : undefined),
    { pause: 5 },
  );
  expect((await running.kill()).status).toBeNull();
  const stages = (await listErasures(records())).map(({ record }) => record.stage);
  expect([stages.length, stages.filter((stage) => stage === "erasing").length]).toEqual([before + 1, 1]);
}

/** The table of records as it was before the first erasure. */
async function forgetErasures(): Promise<void> {
  const eraser = createDynamoEraser(createDynamoClient(), {
    log: stack.outputs.LogTable,
    meta: stack.outputs.MetaTable,
    jobs: { A: stack.outputs.JobsTableA, B: stack.outputs.JobsTableB },
    runs: { A: stack.outputs.RunsTableA, B: stack.outputs.RunsTableB },
  });
  for (const kind of ["erasure", "erased"] as const) {
    for (const { key } of await collect(listRecords(records(), kind, { prefix: "" }))) {
      await eraser.removeRecord(kind, key);
    }
  }
  await eraser.removeRecord("position", ERASURES_KEY);
  await eraser.removeRecord("position", ARCHIVE_ERASURES_KEY);
}

describe.skipIf(isSkipped)("outlive erase --stage", () => {
  it("erases a Job of one cluster from every store", async () => {
    const others = [await answerOf(west, SECRET), await answerOf(east, SIBLING)];
    expect((await search([SECRET])).length).toBeGreaterThanOrEqual(3);
    const dry = await erase(`job/${SECRET}`, "--cluster", "west", "-n", NAMESPACE, "--dry-run");
    expect(dry.stderr).toContain("1 Job");
    const erased = await erase(`job/${SECRET}`, "--cluster", "east", "-n", NAMESPACE);
    expect(erased, erased.stderr).toMatchObject({ status: 0 });
    expect(await answerOf(east, SECRET)).toBeUndefined();
    expect([await answerOf(west, SECRET), await answerOf(east, SIBLING)]).toEqual(others);
  });

  it("refuses records that were restored from before the erasure, until it is applied again", async () => {
    const others = [await answerOf(west, SECRET), await answerOf(east, SIBLING)];
    await forgetErasures();
    expect((await listErasures(records())).length).toBe(0);
    const refused = await replay();
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("outlive erase --apply")]);
    expect(JSON.stringify(await tools.archive())).toContain(
      "this database does not have: it was restored from an older backup",
    );
    const applied = await tools.outlive(["erase", "--apply", "--stage", stack.stage, "--wait", "1"]);
    expect(applied, applied.stderr).toMatchObject({ status: 0 });
    const replayed = await replay();
    expect(replayed, replayed.stderr).toMatchObject({ status: 0 });
    expect(await search([SECRET])).toContain(`${stack.outputs.ReplayBucket} ${SECRET}`);
    await redeliver();
    expect(await answerOf(east, SECRET)).toBeUndefined();
    expect([await answerOf(west, SECRET), await answerOf(east, SIBLING)]).toEqual(others);
  });

  it("erases it of the other cluster too: no byte is left, also after redelivery and an archive run", async () => {
    const erased = await erase(`job/${SECRET}`, "--cluster", "west", "-n", NAMESPACE);
    expect(erased, erased.stderr).toMatchObject({ status: 0 });
    expect(await search([SECRET])).toEqual([]);
    await redeliver();
    await tools.archive();
    expect(await search([SECRET])).toEqual([]);
  });

  it("does not bring it back with a replay of the whole log", async () => {
    const before = [await answerOf(west, SIBLING), await answerOf(east, NEIGHBOUR, "zoo")];
    const replayed = await replay();
    expect(replayed, replayed.stderr).toMatchObject({ status: 0 });
    expect(await search([SECRET])).toEqual([]);
    expect([await answerOf(west, SIBLING), await answerOf(east, NEIGHBOUR, "zoo")]).toEqual(before);
  });

  it("erases a namespace after a kill, with counts of its CronJobs and a large unreadable message", async () => {
    await countCronJob();
    await tools.send({ cluster: east, facts: [] }, [Buffer.alloc(210_000, `${NAMESPACE} `)]);
    await poll("the message is set aside", async () => ((await tools.setAside()).length > 0 ? true : undefined));
    const neighbour = await answerOf(east, NEIGHBOUR, "zoo");
    const { MetaTable, SetAsideBucket } = stack.outputs;
    expect(await search([CRON_JOB])).toEqual([`${MetaTable} ${CRON_JOB}`]);
    expect(await search([NAMESPACE])).toContain(`${SetAsideBucket} ${NAMESPACE}`);
    await eraseKilled("--cluster", east, "-n", NAMESPACE);
    for (const cluster of [east, west]) {
      const erased = await erase("--cluster", cluster, "-n", NAMESPACE);
      expect(erased, erased.stderr).toMatchObject({ status: 0 });
    }
    expect(await search([NAMESPACE, SIBLING, CRON_JOB])).toEqual([]);
    expect(await answerOf(east, NEIGHBOUR, "zoo")).toBe(neighbour);
    const verified = await tools.outlive(["archive", "verify", `s3://${stack.outputs.ArchiveBucket}/archive`]);
    expect(verified, verified.stderr).toMatchObject({ status: 0 });
  });

  it("lists the erasures, and finds nothing left to apply from the archive", async () => {
    const named = ["--stage", stack.stage];
    const listed = await tools.outlive(["erase", "--list", ...named, "--output", "json"]);
    expect(listed, listed.stderr).toMatchObject({ status: 0 });
    const { items } = JSON.parse(listed.stdout) as { readonly items: readonly object[] };
    expect(items).toHaveLength(4);
    for (const item of items) expect(item).toMatchObject({ stage: "done", reason: "request 12" });
    const applied = await tools.outlive(["erase", "--apply", ...named]);
    expect(applied, applied.stderr).toMatchObject({ status: 0 });
    expect(applied.stderr).toContain("has all erasures of the archive");
  });
});
