import { PutItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, it } from "vitest";
import { META_SCHEMA } from "../../../src/ports/deployment/tables.ts";
import { createDynamoMetaStore } from "../../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { metaPartitions } from "../../../src/adapters/dynamodb/meta-partition.ts";
import type { MetaStore } from "../../../src/ports/meta.ts";
import { skipWithoutDynamoLocal } from "../../support/aws/dynamodb-local.ts";
import { useDynamoLocal } from "../../support/aws/use-dynamo-local.ts";

describe("the partition of a record", () => {
  it.each(["hints", "cronjob", "node", "late"] as const)("is one per cluster for kind %s", (kind) => {
    expect(metaPartitions(kind, "east#a")).toEqual({ current: `${kind}#east`, earlier: kind });
    expect(metaPartitions(kind, "west#a").current).not.toBe(metaPartitions(kind, "east#a").current);
  });

  it("is one per cluster for notices, which were never stored otherwise", () => {
    expect(metaPartitions("notice", "east#Job#u1")).toEqual({ current: "notice#east" });
  });

  it("is one per first digit of the hash of a message that was set aside", () => {
    expect(metaPartitions("setAside", "0a1b#AROAEAST")).toEqual({ current: "setAside#0", earlier: "setAside" });
    expect(metaPartitions("setAside", "f")).toEqual({ current: "setAside#f", earlier: "setAside" });
  });

  it.each(["cluster", "live", "gap"] as const)("is shared by all clusters for kind %s", (kind) => {
    expect(metaPartitions(kind, "east#a")).toEqual({ current: kind });
  });
});

describe.skipIf(skipWithoutDynamoLocal)("records that an earlier version wrote", () => {
  const dynamo = useDynamoLocal();
  let table: string;
  let meta: MetaStore;
  beforeEach(async () => {
    table = await dynamo.createTable(META_SCHEMA);
    meta = createDynamoMetaStore(dynamo.client, { table, retentionDays: 400 });
  });

  /** An item as written before partitions were split by cluster. */
  const earlier = (sk: string, value: string, version = 3, pk = "hints") =>
    dynamo.client.send(
      new PutItemCommand({
        TableName: table,
        Item: {
          pk: { S: pk },
          sk: { S: sk },
          version: { N: String(version) },
          value: { S: value },
          writer: { B: Uint8Array.of(1) },
        },
      }),
    );
  const inPartition = async (pk: string) => {
    const query = {
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": { S: pk } },
    };
    return (await dynamo.client.send(new QueryCommand(query))).Items?.map(({ sk }) => sk?.S);
  };

  it("are read", async () => {
    await earlier("east#Pod/team/a", "old");
    expect(await meta.read("hints", "east#Pod/team/a")).toEqual({ key: "east#Pod/team/a", value: "old", version: 3 });
  });

  it("move to their cluster's partition with the next write, once", async () => {
    await earlier("east#Pod/team/a", "old");
    const first = await meta.write("hints", "east#Pod/team/a", { value: "old and new", expected: 3 });
    const second = await meta.write("hints", "east#Pod/team/a", { value: "another", expected: 3 });
    expect([first, second]).toEqual([{ outcome: "written", version: 4 }, { outcome: "conflict" }]);
    expect(await meta.read("hints", "east#Pod/team/a")).toMatchObject({ value: "old and new", version: 4 });
    expect(await inPartition("hints#east")).toEqual(["east#Pod/team/a"]);
  });

  it("are listed only by cluster", async () => {
    await expect(meta.list("hints", { prefix: "", limit: 9 })).rejects.toThrow("must begin with a cluster");
  });

  it("are listed together with newer ones, page by page, each once", async () => {
    for (const name of ["a", "b", "d", "e"]) await earlier(`east#Pod/team/${name}`, `old ${name}`);
    await earlier("west#Pod/team/a", "of another cluster");
    await meta.write("hints", "east#Pod/team/b", { value: "new b", expected: 3 });
    await meta.write("hints", "east#Pod/team/c", { value: "new c", expected: 0 });
    for (const limit of [1, 2, 3, 10]) {
      const values: string[] = [];
      let after: string | undefined;
      do {
        const page = await meta.list("hints", {
          prefix: "east#Pod/team/",
          limit,
          ...(after !== undefined && { after }),
        });
        expect(page.records.length).toBeLessThanOrEqual(limit);
        values.push(...page.records.map(({ value }) => value));
        after = page.next;
      } while (after !== undefined);
      expect(values).toEqual(["old a", "new b", "new c", "old d", "old e"]);
    }
  });

  it("are listed with newer ones if they are divided by hash, page by page, each once", async () => {
    const keys = ["00", "0f", "1a", "9b#AROAEAST", "9c", "f0", "ff"];
    for (const key of ["0f", "9b#AROAEAST", "ff"]) await earlier(key, "old", 1, "setAside");
    for (const key of keys) await meta.write("setAside", key, { value: "new", expected: key === "ff" ? 1 : 0 });
    await earlier("fe", "old", 1, "setAside");
    for (const limit of [1, 2, 3, 100]) {
      const read: string[] = [];
      let after: string | undefined;
      do {
        const page = await meta.list("setAside", { prefix: "", limit, ...(after !== undefined && { after }) });
        expect(page.records.length).toBeLessThanOrEqual(limit);
        read.push(...page.records.map(({ key, value }) => `${key} ${value}`));
        after = page.next;
      } while (after !== undefined);
      expect(read).toEqual([...keys.slice(0, -1).map((key) => `${key} new`), "fe old", "ff new"]);
    }
    expect((await meta.list("setAside", { prefix: "9b", limit: 9 })).records).toHaveLength(1);
  });
});
