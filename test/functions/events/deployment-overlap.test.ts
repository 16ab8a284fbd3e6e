import { type DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { onAudit } from "../../../functions/events/audit-event.ts";
import { onRefoldMessages } from "../../../functions/events/refold-event.ts";
import { META_SCHEMA } from "../../../src/ports/deployment/tables.ts";
import { createDynamoMetaStore } from "../../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { ingestSegment } from "../../../src/log/ingest-segment.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { LogKey } from "../../../src/ports/log.ts";
import type { MetaStore } from "../../../src/ports/meta.ts";
import { projectLive } from "../../../src/projection/project-segments.ts";
import { readCronJob, readHints } from "../../../src/query/clusters/cluster-records.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { skipWithoutDynamoLocal } from "../../support/aws/dynamodb-local.ts";
import { useDynamoLocal } from "../../support/aws/use-dynamo-local.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";
import { queueEvent } from "../../support/aws/queue-event.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryProjections } from "../../support/stores/memory-projections.ts";
import { Story } from "../../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const RETRY = { attempts: 3, pause: async () => {} };
const cluster = clusterNamed("east");
const target = { kind: "CronJob", namespace: "batch", name: "nightly" } as const;

/** A request about the CronJob, and the CronJob, as the n-th segment reports them. */
function factsOf(n: number): readonly Fact[] {
  const story = new Story("nightly-1");
  story.jobCreated();
  story.podSucceeds("a", 5);
  const fact = story.facts[n];
  if (fact === undefined) throw new Error("The story has fewer facts.");
  const stamp = { epoch: fact.epoch, resourceVersion: fact.resourceVersion, at: NOON + n };
  const requested = { verb: "patch", user: `user-${n}`, code: 200, requestedAt: NOON + n };
  const named = { namespace: "batch", name: "nightly", cronJobUid: "cron-1" };
  const spec = { createdAt: NOON, generation: n, schedule: "0 0 * * *", suspend: false, concurrencyPolicy: "Allow" };
  return [
    { ...stamp, kind: "RequestHinted", hintId: `audit-${n}`, target, ...requested },
    { ...stamp, kind: "CronJobObserved", ...named, ...spec },
  ];
}

const place = (kind: string, key: string) => ({ pk: { S: kind }, sk: { S: key } });

/** The records as an earlier version reads and writes them: one partition for each kind. */
function earlierMeta(client: DynamoDBClient, table: string): MetaStore {
  const read: MetaStore["read"] = async (kind, key) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: place(kind, key), ConsistentRead: true }),
    );
    return Item && { key, value: Item["value"]?.S ?? "", version: Number(Item["version"]?.N) };
  };
  return {
    read,
    write: async (kind, key, { value, expected }) => {
      if (((await read(kind, key))?.version ?? 0) !== expected) return { outcome: "conflict" };
      const version = expected + 1;
      const Item = { ...place(kind, key), value: { S: value }, version: { N: `${version}` } };
      await client.send(new PutItemCommand({ TableName: table, Item }));
      return { outcome: "written", version };
    },
    list: async () => ({ records: [] }),
  };
}

describe.skipIf(skipWithoutDynamoLocal)("an earlier version that still runs for some seconds of a deployment", () => {
  const dynamo = useDynamoLocal();

  it("writes hints and CronJobs where this version does not look; the audit finds and restores them", async () => {
    const { client } = dynamo;
    const table = await dynamo.createTable(META_SCHEMA);
    const meta = createDynamoMetaStore(client, { table, retentionDays: 400 });
    const [log, projections, told] = [new MemoryLog(), new MemoryProjections(), new FunctionJournal()];
    const keys: LogKey[] = [];
    const arrive = async (n: number, projectedWith: MetaStore) => {
      const named = { cluster, sealedAt: NOON + n, session: "0123456789abcdef", sequence: n };
      const { bytes } = sealSegment({ ...named, facts: factsOf(n) });
      const ingested = await ingestSegment({ log, meta, days: new LogDayRegistry(meta) }, bytes, { now: NOON + n });
      if (ingested.outcome !== "appended") throw new Error(ingested.outcome);
      keys.push(ingested.item.key);
      const { refold } = await projectLive({ projections, meta: projectedWith }, [ingested.item], RETRY);
      expect(refold).toEqual([]);
    };
    const users = async () =>
      (await readHints(meta, cluster, target)).hints.map((hint) => ("user" in hint ? hint.user : ""));
    const generation = async () => (await readCronJob(meta, cluster, "cron-1"))?.observed?.generation;

    const earlier = earlierMeta(client, table);
    await arrive(1, earlier);
    await arrive(2, meta);
    await arrive(3, earlier);
    // The third is in the partition that this version has left.
    expect(await users()).toEqual(["user-1", "user-2"]);
    expect(await generation()).toBe(2);

    const sent: LogKey[] = [];
    const refoldQueues = [{ send: async (found: readonly LogKey[]) => void sent.push(...found) }];
    const clock = { now: () => NOON + HOUR };
    const dependencies = { log, meta, projections, refoldQueues, clock, count: told.count, logger: told.logger };
    await onAudit(dependencies, told.context);
    expect(sent).toEqual([keys[2]]);
    const refolded = queueEvent(sent.map((key, n) => ({ messageId: `${n}`, body: JSON.stringify(key) })));
    expect(await onRefoldMessages(dependencies, refolded, told.context)).toEqual({ batchItemFailures: [] });
    expect(await users()).toEqual(["user-1", "user-2", "user-3"]);
    expect(await generation()).toBe(3);
    // Nothing is left to restore.
    await onAudit({ ...dependencies, clock: { now: () => NOON + 2 * HOUR } }, told.context);
    expect(sent).toHaveLength(1);
  });
});
