import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { GetItemCommand, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, it } from "vitest";
import { JOBS_SCHEMA, LOG_SCHEMA, META_SCHEMA, RUNS_SCHEMA } from "../../../../src/ports/deployment/tables.ts";
import { createDynamoMetaStore } from "../../../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoEraser, type EraserTables } from "../../../../src/adapters/dynamodb/erase/dynamo-eraser.ts";
import { createDynamoJobStore } from "../../../../src/adapters/dynamodb/jobs/dynamo-job-store.ts";
import { WIDE_RECORD_PARTITIONS } from "../../../../src/adapters/dynamodb/jobs/list-partition.ts";
import { createDynamoLog } from "../../../../src/adapters/dynamodb/log/dynamo-log.ts";
import { packSegments } from "../../../../src/log/pack-segments.ts";
import type { JobRow } from "../../../../src/ports/job-row.ts";
import type { JobKey } from "../../../../src/ports/jobs.ts";
import type { Log, LogItem, LogPack } from "../../../../src/ports/log.ts";
import { skipWithoutDynamoLocal } from "../../../support/aws/dynamodb-local.ts";
import { useDynamoLocal } from "../../../support/aws/use-dynamo-local.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";
import { collect } from "../../../support/running/collect.ts";
import { openedSegment } from "../../../support/stores/sealed-segments.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const [east, eastern] = [clusterNamed("east"), clusterNamed("east-2")];
const row: JobRow = {
  namespace: "batch",
  name: "nightly",
  createdAt: NOW,
  phase: "A",
  attention: false,
  summary: Uint8Array.of(1),
};

function segment(number: number): LogItem {
  const { segment: _, ...item } = openedSegment(number);
  return item;
}

function pack(numbers: readonly number[]): LogPack {
  const [packed] = packSegments(numbers.map(segment), { arrivedAt: NOW, shards: 1 });
  if (packed === undefined) throw new Error("There is no pack.");
  return packed;
}

function keyOf(uid: string, cluster = east): JobKey {
  return { cluster, jobUid: jobUid(uid) };
}

describe.skipIf(skipWithoutDynamoLocal)("the eraser of the tables of a stage", () => {
  const dynamo = useDynamoLocal();
  let tables: EraserTables;
  let log: Log;
  beforeEach(async () => {
    const jobs = { A: await dynamo.createTable(JOBS_SCHEMA), B: await dynamo.createTable(JOBS_SCHEMA) };
    const runs = { A: await dynamo.createTable(RUNS_SCHEMA), B: await dynamo.createTable(RUNS_SCHEMA) };
    tables = { jobs, runs, log: await dynamo.createTable(LOG_SCHEMA), meta: await dynamo.createTable(META_SCHEMA) };
    log = createDynamoLog(dynamo.client, { table: tables.log, retentionDays: 10 });
  });

  const eraser = () => createDynamoEraser(dynamo.client, tables);
  const itemsOf = async (table: string) =>
    (await dynamo.client.send(new ScanCommand({ TableName: table }))).Items ?? [];

  const store = (projection: "A" | "B") =>
    createDynamoJobStore(dynamo.client, { table: tables.jobs[projection], retentionDays: 10, now: () => NOW });
  const uids = async (projection: "A" | "B") =>
    (await collect(eraser().storedJobs(projection, east))).map(String).toSorted();

  it("writes the remains of a segment under its key, and keeps its hash and its expiry", async () => {
    const [item, remains] = [segment(1), segment(2)];
    await log.append(item);
    const [before] = await itemsOf(tables.log);
    await eraser().replaceItem({ ...item, bytes: remains.bytes, factCount: 0 });
    const stored = await log.read(item.key);
    expect(Buffer.from(stored?.bytes ?? [])).toEqual(Buffer.from(remains.bytes));
    expect(stored).toMatchObject({ sha256: item.sha256, factCount: 0 });
    expect((await itemsOf(tables.log)).map(({ ttl, sha256 }) => ({ ttl, sha256 }))).toEqual([
      { ttl: before?.["ttl"], sha256: before?.["sha256"] },
    ]);
  });

  it("writes the remains of a pack under its key, and keeps its expiry", async () => {
    const packed = pack([1, 2]);
    await log.packs?.append(packed);
    const [before] = await itemsOf(tables.log);
    const [first, second] = packed.items;
    if (first === undefined || second === undefined) throw new Error("The pack has two segments.");
    await eraser().replacePack({ ...packed, items: [{ ...first, factCount: 7 }, second] });
    expect(await log.read(first.key)).toMatchObject({ sha256: first.sha256, factCount: 7 });
    expect(await log.read(second.key)).toMatchObject({ sha256: second.sha256, factCount: second.factCount });
    expect((await itemsOf(tables.log)).map(({ ttl }) => ttl)).toEqual([before?.["ttl"]]);
  });

  it("does not bring back what has expired meanwhile", async () => {
    await eraser().replaceItem(segment(1));
    await eraser().replacePack(pack([1]));
    expect(await itemsOf(tables.log)).toEqual([]);
  });

  it("removes a record, also from where earlier releases stored it", async () => {
    const meta = createDynamoMetaStore(dynamo.client, { table: tables.meta, retentionDays: 10 });
    const earlier = { pk: { S: "hints" }, sk: { S: "east#Pod#a" }, version: { N: "1" }, value: { S: "{}" } };
    await dynamo.client.send(new PutItemCommand({ TableName: tables.meta, Item: earlier }));
    await meta.write("hints", "east#Pod#a", { value: "{}", expected: 1 });
    await meta.write("hints", "east#Pod#b", { value: "{}", expected: 0 });
    await eraser().removeRecord("hints", "east#Pod#a");
    await eraser().removeRecord("hints", "east#Pod#a");
    expect((await itemsOf(tables.meta)).map(({ sk }) => sk?.S)).toEqual(["east#Pod#b"]);
  });

  describe("Jobs", () => {
    beforeEach(async () => {
      await store("A").write(keyOf("listed"), { bytes: Uint8Array.of(1), row }, 0);
      await store("A").write(keyOf("unlisted"), { bytes: Uint8Array.of(1) }, 0);
      await store("A").write(keyOf("foreign", eastern), { bytes: Uint8Array.of(1), row }, 0);
      for (const hash of ["x", "y"]) await store("A").writePage(keyOf("listed"), hash, Uint8Array.of(2));
      await store("A").writePage(keyOf("paged"), "x", Uint8Array.of(2));
      await store("B").write(keyOf("other"), { bytes: Uint8Array.of(1), row }, 0);
    });

    it("are found once each, listed or not, and those of which only pages are left", async () => {
      expect(await uids("A")).toEqual(["listed", "paged", "unlisted"].map((uid) => String(jobUid(uid))));
      expect(await uids("B")).toEqual([String(jobUid("other"))]);
    });

    it("are removed with their pages, and leave the indexes", async () => {
      await eraser().removeJob("A", keyOf("listed"));
      await eraser().removeJob("A", keyOf("listed"));
      await eraser().removeJob("A", keyOf("paged"));
      expect(await eraser().unlistJobs("A", ({ jobUid: uid }) => uid === "listed")).toBe(1);
      const [record = "", ...others] = (await itemsOf(tables.jobs.A)).map(({ pk }) => String(pk?.S)).toSorted();
      expect(WIDE_RECORD_PARTITIONS).toContain(record);
      expect(others).toEqual([`${east}#${jobUid("unlisted")}`, `${eastern}#${jobUid("foreign")}`]);
      const named = { cluster: east, namespace: "batch", name: "nightly" };
      expect((await store("A").listByName(named, { limit: 5 })).rows).toEqual([]);
    });
  });

  it("finds and removes runs in their own tables", async () => {
    const runs = createDynamoJobStore(dynamo.client, { table: tables.runs.B, retentionDays: 10, now: () => NOW });
    for (const uid of ["run", "other-run"]) await runs.write(keyOf(uid), { bytes: Uint8Array.of(1), row }, 0);
    await store("B").write(keyOf("run"), { bytes: Uint8Array.of(1), row }, 0);
    await eraser().runs.removeJob("B", keyOf("run"));
    expect(await collect(eraser().runs.storedJobs("B", east))).toEqual([jobUid("other-run")]);
    expect(await uids("B")).toEqual([String(jobUid("run"))]);
    expect(await eraser().runs.unlistJobs("B", ({ jobUid: uid }) => uid === jobUid("run"))).toBe(1);
  });

  it("needs no other permission on the log than to update items", async () => {
    await log.append(segment(1));
    const sent: string[] = [];
    const watched = dynamo.openClient();
    watched.middlewareStack.add(
      (next, { commandName = "" }) =>
        (args) => {
          sent.push(commandName);
          return next(args);
        },
      { step: "initialize" },
    );
    await createDynamoEraser(watched, tables).replaceItem(segment(1));
    expect(sent).toEqual(["UpdateItemCommand"]);
    const key: Record<string, AttributeValue> = { pk: { S: segment(1).key.pk }, sk: { S: segment(1).key.sk } };
    expect((await dynamo.client.send(new GetItemCommand({ TableName: tables.log, Key: key }))).Item).toBeDefined();
  });
});
