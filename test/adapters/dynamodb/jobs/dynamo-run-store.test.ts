import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { encodeCreated } from "../../../../src/adapters/dynamodb/jobs/created-key.ts";
import { fromJobState, stateKey } from "../../../../src/adapters/dynamodb/jobs/job-item.ts";
import { createDynamoRunStore } from "../../../../src/adapters/dynamodb/jobs/dynamo-run-store.ts";
import { uniformRetention } from "../../../../src/ports/expiry/job-expiry.ts";
import { type Script, scripted, success } from "../../../support/aws/scripted-answers.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";

const MORNING = Date.UTC(2026, 10, 21, 8);
const ID = "dagster/run-id=5f1a";
const key = { cluster: clusterNamed("east"), jobUid: jobUid("a") };
const row = {
  namespace: "data",
  name: "5f1a",
  createdAt: MORNING,
  phase: "A",
  attention: false,
  summary: Uint8Array.of(1),
  externalId: ID,
} as const;
const entry = {
  pk: { S: stateKey(key).pk },
  sk: { S: stateKey(key).sk },
  externalPk: { S: ID },
  createdSk: { S: encodeCreated({ createdAt: MORNING, jobUid: key.jobUid }) },
};

function storeAnswering(...answers: readonly Script[]) {
  const { config, requests } = scripted(answers);
  const retry = { attempts: 1, pause: async () => {} };
  const client = new DynamoDBClient(config);
  const store = createDynamoRunStore(client, { table: "runs", retentionDays: 400, retry, now: () => MORNING });
  return { store, requests };
}

/** The row as DynamoDB sends it. */
function stored() {
  const written = { version: 1, now: MORNING, retention: uniformRetention(400) };
  const { summary: _, state: __, ...item } = fromJobState(key, { bytes: Uint8Array.of(7), row }, written);
  return { ...item, summary: { B: Buffer.from(row.summary).toString("base64") } };
}

describe("runs of an id of another system, on DynamoDB", () => {
  it("are read in two requests: the index, and their rows", async () => {
    const { store, requests } = storeAnswering(
      success({ Items: [entry] }),
      success({ Responses: { runs: [stored()] }, UnprocessedKeys: {} }),
    );
    const found = await store.listByExternalId(ID, 100);
    expect(found).toMatchObject([{ cluster: "east", jobUid: "a", namespace: "data", name: "5f1a" }]);
    expect(requests).toMatchObject([{ TableName: "runs", IndexName: "external", Limit: 101 }, { RequestItems: {} }]);
    expect(JSON.stringify(requests[0])).toContain(JSON.stringify({ S: ID }));
  });

  it("are one request if there are none", async () => {
    const { store, requests } = storeAnswering(success({ Items: [] }));
    expect(await store.listByExternalId(ID, 100)).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  it("are those whose row is not deleted", async () => {
    const { store } = storeAnswering(
      success({ Items: [entry] }),
      success({ Responses: { runs: [] }, UnprocessedKeys: {} }),
    );
    expect(await store.listByExternalId(ID, 100)).toEqual([]);
  });
});

describe("a run that is written to DynamoDB", () => {
  it("has the key of its id", async () => {
    const { store, requests } = storeAnswering(success({}));
    expect(await store.write(key, { bytes: Uint8Array.of(7), row }, 0)).toEqual({ outcome: "written", version: 1 });
    expect(JSON.stringify(requests)).toContain(`"externalPk":{"S":"${ID}"}`);
  });
});
