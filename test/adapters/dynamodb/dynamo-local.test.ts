import {
  type AttributeValue,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, it } from "vitest";
import { createDynamoJobStore } from "../../../src/adapters/dynamodb/jobs/dynamo-job-store.ts";
import { fromJobState, stateKey } from "../../../src/adapters/dynamodb/jobs/job-item.ts";
import { createDynamoLog } from "../../../src/adapters/dynamodb/log/dynamo-log.ts";
import { createDynamoMetaStore } from "../../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { metaPartitions } from "../../../src/adapters/dynamodb/meta-partition.ts";
import { JOBS_SCHEMA, LOG_SCHEMA, META_SCHEMA, type TableSchema } from "../../../src/ports/deployment/tables.ts";
import { uniformRetention } from "../../../src/ports/expiry/job-expiry.ts";
import type { JobRow } from "../../../src/ports/job-row.ts";
import { describeCounts } from "../../contract/describe-counts.ts";
import { describeJobStore } from "../../contract/describe-job-store.ts";
import { describeLog } from "../../contract/describe-log.ts";
import { describeWideLists } from "../../contract/describe-wide-lists.ts";
import { describeMetaStore } from "../../contract/describe-meta-store.ts";
import { describePacks } from "../../contract/describe-packs.ts";
import { skipWithoutDynamoLocal } from "../../support/aws/dynamodb-local.ts";
import { LocalStream } from "../../support/aws/local-stream.ts";
import { useDynamoLocal } from "../../support/aws/use-dynamo-local.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const retentionDays = 400;
const east = clusterNamed("east");
const key = { cluster: east, jobUid: jobUid("a") };
const row: JobRow = {
  namespace: "batch",
  name: "nightly",
  createdAt: NOW,
  phase: "A",
  attention: false,
  summary: Uint8Array.of(1),
};

/** When an item may be deleted, in milliseconds. */
function expiresAt(item: Readonly<Record<string, AttributeValue>>): number | undefined {
  return item["ttl"] && Number(item["ttl"].N) * 1_000;
}

function uids(rows: readonly { readonly jobUid: string }[]): readonly string[] {
  return rows.map(({ jobUid: uid }) => uid).toSorted();
}

describe.skipIf(skipWithoutDynamoLocal)("tables on DynamoDB Local", () => {
  const dynamo = useDynamoLocal();
  let table: string;

  const optionsFor = async (schema: TableSchema) => ({ table: await dynamo.createTable(schema), retentionDays });
  describeLog("DynamoDB", async () => createDynamoLog(dynamo.client, await optionsFor(LOG_SCHEMA)));
  describePacks("DynamoDB", async () => createDynamoLog(dynamo.client, await optionsFor(LOG_SCHEMA)));
  describeJobStore("DynamoDB", async () => createDynamoJobStore(dynamo.client, await optionsFor(JOBS_SCHEMA)));
  describeWideLists("DynamoDB", async (now) =>
    createDynamoJobStore(dynamo.client, { ...(await optionsFor(JOBS_SCHEMA)), now }),
  );
  describeMetaStore("DynamoDB", async () => createDynamoMetaStore(dynamo.client, await optionsFor(META_SCHEMA)));

  describeCounts("DynamoDB", async () => {
    const jobs = await optionsFor(JOBS_SCHEMA);
    return {
      jobs: createDynamoJobStore(dynamo.client, jobs),
      meta: createDynamoMetaStore(dynamo.client, await optionsFor(META_SCHEMA)),
      projection: "A",
      stream: new LocalStream(dynamo.client, dynamo.endpoint, jobs.table),
      remove: async (removed) => {
        const { pk, sk } = stateKey(removed);
        await dynamo.client.send(
          new DeleteItemCommand({ TableName: jobs.table, Key: { pk: { S: pk }, sk: { S: sk } } }),
        );
      },
    };
  });

  const itemAt = async (pk: string, sk: string) =>
    (await dynamo.client.send(new GetItemCommand({ TableName: table, Key: { pk: { S: pk }, sk: { S: sk } } }))).Item ??
    {};

  describe("an item of the log", () => {
    it("expires 30 days after the Jobs that ended when it was sealed", async () => {
      table = await dynamo.createTable(LOG_SCHEMA);
      const log = createDynamoLog(dynamo.client, { table, retentionDays });
      const sk = "2026-11-21T12:00:00.000Z#0123456789abcdef#0000000001";
      await log.append({ key: { pk: "east#20261121", sk }, bytes: Uint8Array.of(1), sha256: "00", factCount: 1 });
      expect(expiresAt(await itemAt("east#20261121", sk))).toBe(NOW + 430 * DAY);
    });
  });

  describe("a state", () => {
    beforeEach(async () => {
      table = await dynamo.createTable(JOBS_SCHEMA);
    });

    it.each<[string, Partial<JobRow>, number | undefined]>([
      ["never while the Job is live", { phase: "A" }, undefined],
      ["at the retention after the Job's end", { phase: "F", endedAt: NOW - DAY }, NOW + 399 * DAY],
      ["at the retention after its creation if its end is unknown", { phase: "F" }, NOW + 400 * DAY],
    ])("expires %s", async (_, changes, expected) => {
      const jobs = createDynamoJobStore(dynamo.client, { table, retentionDays });
      await jobs.write(key, { bytes: Uint8Array.of(1), row: { ...row, ...changes } }, 0);
      expect(expiresAt(await itemAt("east#a", "S"))).toBe(expected);
    });

    it("has entries only in the indexes of its lists", async () => {
      const jobs = createDynamoJobStore(dynamo.client, { table, retentionDays });
      const entries = async (IndexName: string, name: string, value: string) => {
        const values = { ":value": { S: value } };
        const query = {
          TableName: table,
          IndexName,
          KeyConditionExpression: `${name} = :value`,
          ExpressionAttributeValues: values,
        };
        return (await dynamo.client.send(new QueryCommand(query))).Items ?? [];
      };
      await jobs.write(key, { bytes: new Uint8Array(5_000), row }, 0);
      const [named] = await entries("name", "namePk", "east#batch#nightly");
      expect(Object.keys(named ?? {}).sort()).toEqual(["createdSk", "namePk", "pk", "sk"]);
      await jobs.write(key, { bytes: Uint8Array.of(2) }, 1);
      expect(await entries("name", "namePk", "east#batch#nightly")).toEqual([]);
    });
  });

  describe("a row that an earlier version has written", () => {
    /** Earlier versions kept live Jobs in another half of the list of their namespace, and had no wide lists. */
    const putEarlier = async (uid: string, phase: "A" | "F") => {
      const written = { version: 1, retention: uniformRetention(retentionDays), now: NOW };
      const state = { bytes: Uint8Array.of(1), row: { ...row, phase, ...(phase === "F" && { endedAt: NOW }) } };
      const { widePk: _, ...item } = fromJobState({ cluster: east, jobUid: jobUid(uid) }, state, written);
      const listPk = { S: `east#batch#${phase}#${item["listPk"]?.S?.at(-1) ?? ""}` };
      await dynamo.client.send(new PutItemCommand({ TableName: table, Item: { ...item, listPk } }));
    };
    const batch = { cluster: east, namespace: "batch" };

    it("is listed with those of this version until it is written again", async () => {
      table = await dynamo.createTable(JOBS_SCHEMA);
      const jobs = createDynamoJobStore(dynamo.client, { table, retentionDays, now: () => NOW + 300_000 });
      await putEarlier("live", "A");
      await putEarlier("ended", "F");
      await jobs.write({ cluster: east, jobUid: jobUid("new") }, { bytes: Uint8Array.of(1), row }, 0);
      const listed = (await jobs.list(batch, { limit: 9 })).rows;
      expect(uids(listed)).toEqual(["ended", "live", "new"]);
      expect(listed.filter(({ phase }) => phase === "A").map(({ jobUid: uid }) => uid)).toEqual(["live", "new"]);
      expect(uids((await jobs.listLive(batch, { limit: 9 })).rows)).toEqual(["live"]);
      const { wide } = jobs;
      const wideUids = async () => uids((await wide?.list(wide.partitions(["A"]), { limit: 9 }))?.rows ?? []);
      expect(await wideUids()).toEqual(["new"]);
      await jobs.write({ cluster: east, jobUid: jobUid("live") }, { bytes: Uint8Array.of(1), row }, 1);
      expect(await wideUids()).toEqual(["live", "new"]);
      expect((await jobs.listLive(batch, { limit: 9 })).rows).toEqual([]);
      expect(uids((await jobs.list(batch, { limit: 9 })).rows)).toEqual(["ended", "live", "new"]);
    });
  });

  describe("a page", () => {
    it("expires after twice the retention, and is rewritten only in the second half", async () => {
      table = await dynamo.createTable(JOBS_SCHEMA);
      let now = NOW;
      const jobs = createDynamoJobStore(dynamo.client, { table, retentionDays, now: () => now });
      await jobs.writePage(key, "ab", Uint8Array.of(1));
      expect(expiresAt(await itemAt("east#a", "P#ab"))).toBe(NOW + 800 * DAY);
      now += 399 * DAY;
      await jobs.writePage(key, "ab", Uint8Array.of(1));
      expect(expiresAt(await itemAt("east#a", "P#ab"))).toBe(NOW + 800 * DAY);
      now += 2 * DAY;
      await jobs.writePage(key, "ab", Uint8Array.of(1));
      expect(expiresAt(await itemAt("east#a", "P#ab"))).toBe(now + 800 * DAY);
    });
  });

  describe("a record", () => {
    it.each([
      ["hints", "east#Pod/batch/p", NOW + 430 * DAY],
      ["setAside", "ab12", NOW + 430 * DAY],
      ["logDay", "east#20261101", Date.UTC(2026, 10, 1) + 432 * DAY],
      ["logHour", "2026110112#03", Date.UTC(2026, 10, 1, 12) + 432 * DAY],
      ["waiting", "east#a#A", NOW + 30 * DAY],
      ["gap", "east#g", undefined],
      ["live", "jobs", undefined],
    ] as const)("of kind %s expires when nothing needs it any more", async (kind, name, expected) => {
      table = await dynamo.createTable(META_SCHEMA);
      const meta = createDynamoMetaStore(dynamo.client, { table, retentionDays, now: () => NOW });
      await meta.write(kind, name, { value: "{}", expected: 0 });
      expect(expiresAt(await itemAt(metaPartitions(kind, name).current, name))).toBe(expected);
    });

    it("expires as its writer says, until it is written again", async () => {
      table = await dynamo.createTable(META_SCHEMA);
      const meta = createDynamoMetaStore(dynamo.client, { table, retentionDays, now: () => NOW });
      const name = "east#A#hour#2026010109";
      const stored = async () => expiresAt(await itemAt("counts#east", name));
      await meta.write("counts", name, { value: "{}", expected: 0, lifetimeDays: 35 });
      expect(await stored()).toBe(NOW + 35 * DAY);
      await meta.write("counts", name, { value: "{}", expected: 1 });
      expect(await stored()).toBeUndefined();
    });
  });

  describe("a list of many Jobs", () => {
    it.each(["newest", "oldest"] as const)("is complete and in order for every page size, %s first", async (order) => {
      const jobs = createDynamoJobStore(dynamo.client, { table: await dynamo.createTable(JOBS_SCHEMA), retentionDays });
      const uids = Array.from({ length: 130 }, (_, number) => jobUid(`job-${String(number).padStart(3, "0")}`));
      for (const [number, uid] of uids.entries()) {
        const created = { ...row, createdAt: NOW + Math.floor(number / 7) * 1_000 };
        await jobs.write({ cluster: east, jobUid: uid }, { bytes: Uint8Array.of(1), row: created }, 0);
      }
      const whole = (await jobs.list({ cluster: east, namespace: "batch" }, { limit: 500, order })).rows;
      expect(new Set(whole.map(({ jobUid: uid }) => uid)).size).toBe(130);
      for (const limit of [1, 13, 101]) {
        const first = await jobs.list({ cluster: east, namespace: "batch" }, { limit, order });
        const second = await jobs.list(
          { cluster: east, namespace: "batch" },
          { limit, order, ...(first.next && { after: first.next }) },
        );
        expect([...first.rows, ...second.rows]).toEqual(whole.slice(0, 2 * limit));
      }
    });
  });
});
