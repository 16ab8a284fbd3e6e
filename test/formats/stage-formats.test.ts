import { type AttributeValue, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoProjections } from "../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import { createDynamoLog } from "../../src/adapters/dynamodb/log/dynamo-log.ts";
import { getJson } from "../../src/host/client/api-client.ts";
import { inProcessClient } from "../../src/host/embedded/in-process-client.ts";
import { JOBS_SCHEMA, LOG_SCHEMA, META_SCHEMA, RUNS_SCHEMA } from "../../src/ports/deployment/tables.ts";
import { liveJobs } from "../../src/projection/live-projection.ts";
import { verifyProjection } from "../../src/upkeep/replay/verify-projection.ts";
import { skipWithoutDynamoLocal } from "../support/aws/dynamodb-local.ts";
import { useDynamoLocal } from "../support/aws/use-dynamo-local.ts";
import { EVERY_FORMAT, FORMAT_STEPS, type FormatStep } from "./format-steps.ts";
import { answersOf, earlierAnswers, essence, fixtureStage, type StageTable } from "./read-fixtures.ts";

const SCHEMAS = {
  log: LOG_SCHEMA,
  meta: META_SCHEMA,
  jobsA: JOBS_SCHEMA,
  jobsB: JOBS_SCHEMA,
  runsA: RUNS_SCHEMA,
  runsB: RUNS_SCHEMA,
} as const;
const TABLES: readonly StageTable[] = ["log", "meta", "jobsA", "jobsB", "runsA", "runsB"];
const retentionDays = 400;

describe.skipIf(skipWithoutDynamoLocal)("the tables of a stage", () => {
  const dynamo = useDynamoLocal();

  /** The stores of this release over the items that the functions of a step wrote. */
  async function storesOf(step: FormatStep) {
    const items = fixtureStage(step);
    const names = new Map<StageTable, string>();
    for (const table of TABLES) {
      const name = await dynamo.createTable(SCHEMAS[table]);
      names.set(table, name);
      for (const item of items[table]) {
        await dynamo.client.send(new PutItemCommand({ TableName: name, Item: attributesOf(item) }));
      }
    }
    const named = (table: StageTable): string => names.get(table) ?? "";
    const tables = { A: named("jobsA"), B: named("jobsB") };
    const runTables = { A: named("runsA"), B: named("runsB") };
    return {
      log: createDynamoLog(dynamo.client, { table: named("log"), retentionDays }),
      meta: createDynamoMetaStore(dynamo.client, { table: named("meta"), retentionDays }),
      projections: createDynamoProjections(dynamo.client, { tables, runTables, retentionDays }),
    };
  }

  it.each(FORMAT_STEPS.filter(({ stage }) => stage))(
    "of step $name are answered as its code answered",
    async (step) => {
      const stores = await storesOf(step);
      const api = inProcessClient(stores, "stage");
      expect(essence(await answersOf(api))).toEqual(essence(earlierAnswers(step)));
      const why = await getJson(api, `/v1/clusters/${EVERY_FORMAT}/namespaces/batch/jobs/import/why`);
      expect(why).toMatchObject({
        answer: expect.stringContaining("OOMKilled: container work exceeded its memory limit") as string,
      });
      const verified = await verifyProjection({ ...stores, jobs: await liveJobs(stores.projections, stores.meta) });
      expect(verified).toMatchObject({ jobs: 8, segments: 2, mismatches: [], unreadable: [] });
    },
  );
});

/** Earlier expiries would have passed some day. */
function attributesOf(item: Readonly<Record<string, Readonly<Record<string, unknown>>>>) {
  const expiry = { N: `${Math.floor(Date.now() / 1_000) + retentionDays * 86_400}` };
  const attributes = Object.entries(item).map(([name, value]) => [name, name === "ttl" ? expiry : attributeOf(value)]);
  return Object.fromEntries(attributes) as Record<string, AttributeValue>;
}

function attributeOf(value: Readonly<Record<string, unknown>>): object {
  return typeof value["B"] === "string" ? { B: Buffer.from(value["B"], "base64") } : value;
}
