import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodePack } from "../../../../src/adapters/dynamodb/log/pack-bytes.ts";
import { scanLog } from "../../../../src/adapters/dynamodb/log/scan-log.ts";
import type { LogItem, LogKey } from "../../../../src/ports/log.ts";
import { collect } from "../../../support/running/collect.ts";
import { ScriptedAws } from "../../../support/aws/scripted-aws.ts";
import { numberedSegment } from "../../../support/stores/sealed-segments.ts";

const ARRIVED = "2026-11-21T12:00:00.000Z";
const ITEMS = [1, 2].map(numberedSegment);
const PACK = {
  pk: { S: "3#2026112112" },
  sk: { S: `${ARRIVED}#0123456789abcdef` },
  pack: { B: Buffer.from(encodePack(ITEMS)).toString("base64") },
};

let aws: ScriptedAws;
let client: DynamoDBClient;
beforeEach(async () => {
  aws = await ScriptedAws.start();
  client = new DynamoDBClient(aws.settings);
});
afterEach(async () => {
  client.destroy();
  await aws.stop();
});

function answer(page: object): void {
  aws.answer = { status: 200, body: JSON.stringify(page), headers: { "content-type": "application/x-amz-json-1.0" } };
}

function base64(value: Uint8Array): string {
  return Buffer.from(value).toString("base64");
}

function single() {
  const [item] = ITEMS;
  if (item === undefined) throw new Error("There is no segment.");
  const { key, bytes, sha256, factCount } = item;
  return {
    item,
    stored: {
      pk: { S: key.pk },
      sk: { S: key.sk },
      segment: { B: base64(bytes) },
      sha256: { B: base64(Buffer.from(sha256, "hex")) },
      facts: { N: `${factCount}` },
    },
  };
}

function keysOf({ value }: IteratorResult<readonly LogItem[], unknown>): readonly LogKey[] {
  return Array.isArray(value) ? (value as readonly LogItem[]).map(({ key }) => key) : [];
}

describe("the segments of a log table", () => {
  it("are those of its packs with their places, and those that are items of their own, page by page", async () => {
    const pages = scanLog(client, "log-before");
    answer({ Items: [PACK], LastEvaluatedKey: { pk: PACK.pk, sk: PACK.sk } });
    const place = { shard: 3, arrivedAt: Date.parse(ARRIVED) };
    expect(keysOf(await pages.next())).toEqual(ITEMS.map(({ key }) => ({ ...key, pack: place })));
    const { item, stored } = single();
    answer({ Items: [stored] });
    expect(keysOf(await pages.next())).toEqual([item.key]);
    expect(JSON.parse(aws.requests[1] ?? "")).toMatchObject({ ExclusiveStartKey: { pk: PACK.pk, sk: PACK.sk } });
    expect(await pages.next()).toMatchObject({ done: true });
  });

  it("are not read from a table that has other items", async () => {
    answer({ Items: [{ pk: { S: "principal" }, sk: { S: "AROA1" }, value: { S: "{}" } }] });
    await expect(collect(scanLog(client, "records"))).rejects.toThrow("Table records is not a log of Outlive");
  });
});
