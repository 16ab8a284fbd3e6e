import {
  type DynamoDBClient,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { encodeCreated } from "../../src/adapters/dynamodb/jobs/created-key.ts";
import { JOBS_SCHEMA, LOG_SCHEMA } from "../../src/ports/deployment/tables.ts";
import type { JobFact } from "../../src/job/model/fact.ts";
import type { DynamoLocal } from "../../test/support/aws/dynamodb-local.ts";
import { Meter, type Units } from "./meter.ts";
import type { TimedFact } from "./steady-jobs.ts";

/** One watch event of a Job or its Pod, as its own item. */
interface Event {
  readonly ms: number;
  readonly jobUid: string;
  readonly facts: readonly JobFact[];
}

/**
 * A naive tracker: each event is an item, next to the Job's counters and status with the same two lists. An event that
 * changes no counter costs its item only. `transaction` writes the event and the counters together, so that a
 * repetition is not counted twice. `stream` adds up a batch of new events with one update per Job, and counts a
 * repetition twice.
 */
export async function runNaiveDesign(
  dynamo: DynamoLocal,
  counters: "transaction" | "stream",
  { facts, foldMs }: { readonly facts: readonly TimedFact[]; readonly foldMs: number },
): Promise<{ readonly events: Units; readonly jobs: Units }> {
  const meter = new Meter();
  const client = meter.attach(dynamo.client());
  const tables = { events: await dynamo.createTable(LOG_SCHEMA), jobs: await dynamo.createTable(JOBS_SCHEMA) };
  const batches = Map.groupBy(eventsOf(facts), ({ ms }) => Math.floor(ms / foldMs));
  for (const batch of batches.values()) {
    for (const event of batch) await writeEvent(client, { tables, counters }, event);
    if (counters === "transaction") continue;
    for (const events of Map.groupBy(batch.filter(countsSomething), ({ jobUid }) => jobUid).values()) {
      await client.send(new UpdateItemCommand(updateOf(tables.jobs, events)));
    }
  }
  return { events: meter.of(tables.events), jobs: meter.of(tables.jobs) };
}

function eventsOf(facts: readonly TimedFact[]): readonly Event[] {
  const events = Map.groupBy(
    facts,
    ({ ms, fact }) => `${ms} ${"jobUid" in fact ? fact.jobUid : ""} ${fact.resourceVersion}`,
  );
  return [...events.values()].flatMap((timed) => {
    const own = timed.flatMap(({ fact }) => ("jobUid" in fact ? [fact] : []));
    const [first] = own;
    return first === undefined ? [] : [{ ms: timed[0]?.ms ?? 0, jobUid: first.jobUid, facts: own }];
  });
}

interface Tables {
  readonly events: string;
  readonly jobs: string;
}

interface Design {
  readonly tables: Tables;
  readonly counters: "transaction" | "stream";
}

async function writeEvent(client: DynamoDBClient, { tables, counters }: Design, event: Event) {
  const put = putOf(tables.events, event);
  if (counters === "stream" || !countsSomething(event)) await client.send(new PutItemCommand(put));
  else {
    const TransactItems = [{ Put: put }, { Update: updateOf(tables.jobs, [event]) }];
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
  }
}

function putOf(TableName: string, { jobUid, facts }: Event) {
  const Item = {
    pk: { S: `production-eu#${jobUid}` },
    sk: { S: String(facts[0]?.resourceVersion).padStart(16, "0") },
    event: { S: JSON.stringify(facts) },
  };
  return { TableName, Item, ConditionExpression: "attribute_not_exists(pk)" };
}

const COUNTED = new Set(["JobCreated", "PodCreated", "PodStarted", "PodTerminated", "JobFinished", "JobDeleted"]);

function countsSomething({ facts }: Event): boolean {
  return facts.some(({ kind }) => COUNTED.has(kind));
}

/** Counters, and the fields that lists and queries need. */
function updateOf(TableName: string, events: readonly Event[]) {
  const facts = events.flatMap((event) => event.facts);
  const created = facts.find((fact) => fact.kind === "JobCreated");
  const isOver = facts.some(({ kind }) => kind === "JobFinished");
  const sets = ["latest = :latest"];
  const values: Record<string, { S: string } | { N: string }> = {
    ":latest": { S: JSON.stringify(facts.at(-1)) },
    ":count": { N: String(facts.filter(({ kind }) => COUNTED.has(kind)).length) },
  };
  if (created !== undefined) {
    sets.push("namePk = :name", "createdSk = :created");
    values[":name"] = { S: `production-eu#${created.namespace}#${created.name}` };
    values[":created"] = { S: encodeCreated(created) };
  }
  if (created !== undefined || isOver) {
    sets.push("listPk = :list");
    values[":list"] = { S: `production-eu#${created?.namespace ?? "steady"}#${isOver ? "F" : "A"}` };
  }
  return {
    TableName,
    Key: { pk: { S: `production-eu#${events[0]?.jobUid}` }, sk: { S: "S" } },
    UpdateExpression: `SET ${sets.join(", ")} ADD counted :count`,
    ExpressionAttributeValues: values,
  };
}
