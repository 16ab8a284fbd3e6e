import { DeleteItemCommand, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { createDynamoLog } from "../../../../src/adapters/dynamodb/log/dynamo-log.ts";
import { createDynamoMetaStore } from "../../../../src/adapters/dynamodb/dynamo-meta-store.ts";
import {
  createDynamoProjections,
  type DynamoProjections,
} from "../../../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import type { Item } from "../../../../src/adapters/dynamodb/attribute.ts";
import { isRecordPartition } from "../../../../src/adapters/dynamodb/jobs/list-partition.ts";
import { WIDE_CLASSES } from "../../../../src/ports/wide-lists.ts";
import { JOBS_SCHEMA, LOG_SCHEMA, META_SCHEMA, RUNS_SCHEMA } from "../../../../src/ports/deployment/tables.ts";
import type { StoredEntry } from "../../../../src/ports/projections.ts";
import type { JobRow } from "../../../../src/ports/job-row.ts";
import { projectLive } from "../../../../src/projection/project-segments.ts";
import { rebuildProjection } from "../../../../src/upkeep/replay/rebuild-projection.ts";
import { skipWithoutDynamoLocal } from "../../../support/aws/dynamodb-local.ts";
import { memberFacts, runFacts } from "../../../support/facts/run-facts.ts";
import { useDynamoLocal } from "../../../support/aws/use-dynamo-local.ts";
import { arbitraryFact } from "../../../support/facts/arbitrary-facts.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../../../support/facts/large-job-facts.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";
import { appendInPacks } from "../../../support/stores/both-layouts.ts";
import { MemoryObjects } from "../../../support/stores/memory-objects.ts";
import { sealInSegments } from "../../../support/stores/seal-in-segments.ts";
import { PATIENT } from "../../../support/stores/two-projections.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const retentionDays = 30;
const cluster = clusterNamed("east");
const key = (number: number) => ({ cluster, jobUid: jobUid(`${number}`) });
const row: JobRow = {
  namespace: "batch",
  name: "nightly",
  createdAt: NOW - 60_000,
  phase: "A",
  attention: false,
  summary: Uint8Array.of(1),
};
const ended: JobRow = { ...row, phase: "F", endedAt: NOW - DAY };

describe.skipIf(skipWithoutDynamoLocal)("the idle table of Jobs", () => {
  const dynamo = useDynamoLocal();
  let tables: { readonly A: string; readonly B: string };
  let runTables: typeof tables;
  let projections: DynamoProjections;
  let now = NOW;

  beforeEach(async () => {
    now = NOW;
    tables = { A: await dynamo.createTable(JOBS_SCHEMA), B: await dynamo.createTable(JOBS_SCHEMA) };
    runTables = { A: await dynamo.createTable(RUNS_SCHEMA), B: await dynamo.createTable(RUNS_SCHEMA) };
    projections = createDynamoProjections(dynamo.client, { tables, runTables, retentionDays, now: () => now });
  });

  async function fill(count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      await projections.open("B").write(key(number), { bytes: Uint8Array.of(number), row }, 0);
    }
  }

  async function scanned(of = 1, after?: string) {
    const found = new Map<string, StoredEntry>();
    const recorded = new Map<string, StoredEntry>();
    const places: string[] = [];
    for (let index = 0; index < of; index += 1) {
      for await (const { entries, place } of projections.idle("B").scan({ index, of }, after)) {
        for (const [{ jobUid: uid }, entry] of entries) (entry.version === 0 ? recorded : found).set(uid, entry);
        places.push(place);
      }
    }
    return { found, recorded, places };
  }

  it("is listed in parts: the version of each state, and the digest of what a write would store", async () => {
    const jobs = projections.open("B");
    await fill(20);
    await jobs.write(key(3), { bytes: Uint8Array.of(99), row }, 1);
    await jobs.write(key(99), { bytes: Uint8Array.of(1) }, 0);
    const { found } = await scanned(4);
    expect(found.size).toBe(21);
    const { digest, keptUntil } = await projections.idle("B").entryOf(key(3), { bytes: Uint8Array.of(99), row });
    expect(found.get(key(3).jobUid)).toEqual({ version: 2, digest });
    expect(await projections.idle("B").find(key(3))).toMatchObject({ version: 2, digest, bytes: Uint8Array.of(99) });
    expect(await projections.idle("B").find(key(77))).toBeUndefined();
    expect(keptUntil).toBeUndefined();
    expect((await scanned()).found).toEqual(found);
  });

  it("lists the Jobs of records, whether or not their states are stored", async () => {
    const jobs = projections.open("B");
    await Promise.all([1, 2].map((number) => jobs.write(key(number), { bytes: Uint8Array.of(number), row }, 0)));
    const before = await scanned();
    expect([...before.recorded.values()].map(({ recordedAt }) => recordedAt)).toEqual([row.createdAt, row.createdAt]);
    expect([...before.found.values()].map(({ recordedAt }) => recordedAt)).toEqual([row.createdAt, row.createdAt]);
    await jobs.write(key(1), { bytes: Uint8Array.of(1), row }, 1);
    await projections.idle("B").remove(key(2), (await projections.idle("B").find(key(2))) ?? expect.fail());
    const { found, recorded } = await scanned();
    expect(recorded).toEqual(before.recorded);
    // With an index entry, it has the same digest.
    const { digest } = before.found.get(key(1).jobUid) ?? expect.fail();
    expect([...found]).toEqual([[key(1).jobUid, { version: 2, digest }]]);
  });

  it("continues after a place", async () => {
    await fill(5);
    const { places } = await scanned();
    expect((await scanned(1, places.at(-1))).found.size).toBe(0);
  });

  it("has another digest where the state, the row, or the class of its age differs", async () => {
    const idle = projections.idle("B");
    const state = { bytes: Uint8Array.of(1), row };
    const digestOf = async (some: typeof state) => (await idle.entryOf(key(1), some)).digest;
    const digest = await digestOf(state);
    expect(await digestOf({ ...state, bytes: Uint8Array.of(2) })).not.toEqual(digest);
    expect(await digestOf({ ...state, row: { ...row, attention: true } })).not.toEqual(digest);
    expect(await digestOf({ ...state, row: { ...row, summary: Uint8Array.of(2) } })).not.toEqual(digest);
    expect(await digestOf({ ...state, row: ended })).not.toEqual(digest);
    expect(await digestOf(state)).toEqual(digest);
    now = NOW + DAY;
    expect(await digestOf(state)).not.toEqual(digest);
  });

  it("has the same digest when only the expiry differs, and says until when the Job is kept", async () => {
    const idle = projections.idle("B");
    const early = await idle.entryOf(key(1), { bytes: Uint8Array.of(1), row: ended });
    now = NOW + 29 * DAY;
    expect(await idle.entryOf(key(1), { bytes: Uint8Array.of(1), row: ended })).toEqual(early);
    expect(early.keptUntil).toBe(NOW + 29 * DAY);
  });

  it("loses a state only as it was found, though another one has the same version", async () => {
    const idle = projections.idle("B");
    await idle.write(key(1), { bytes: Uint8Array.of(1), row }, 0);
    const found = (await idle.find(key(1))) ?? expect.fail();
    await idle.write(key(1), { bytes: Uint8Array.of(2), row }, 1);
    expect(await idle.remove(key(1), found)).toBe("conflict");
    expect(await idle.remove(key(1), (await idle.find(key(1))) ?? expect.fail())).toBe("removed");
    expect(await idle.read(key(1))).toBeUndefined();
    await idle.write(key(1), { bytes: Uint8Array.of(3), row }, 0);
    expect(await idle.remove(key(1), found)).toBe("conflict");
    expect((await idle.read(key(1)))?.bytes).toEqual(Uint8Array.of(3));
  });

  it("loses pages that do not have the content of their name, and keeps the others", async () => {
    const idle = projections.idle("B");
    const whole = "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a";
    await idle.writePage(key(1), whole, Uint8Array.of(1));
    await idle.writePage(key(1), "ab", Uint8Array.of(1));
    await idle.begin();
    await scanned();
    expect(await idle.readPage(key(1), whole)).toEqual(Uint8Array.of(1));
    expect(await idle.readPage(key(1), "ab")).toBeUndefined();
    expect(await projections.open("B").wide?.readCoverage()).toBeDefined();
  });

  it.each([
    ["a record of the wide lists", { pk: "#wide#0", sk: "0000000000#0" }, { jobs: { B: Uint8Array.of(1) } }],
    ["a state without a version", { pk: "east#1", sk: "S" }, { state: { B: Uint8Array.of(1) } }],
    ["a state with a version that is none", { pk: "east#1", sk: "S" }, { version: { N: "-1.5" } }],
  ])("loses what cannot be read: %s", async (_, { pk, sk }, content) => {
    const Item = { pk: { S: pk }, sk: { S: sk }, codec: { N: "1" }, ...content };
    await dynamo.client.send(new PutItemCommand({ TableName: tables.B, Item }));
    const jobs = projections.open("B");
    await jobs.write(key(2), { bytes: Uint8Array.of(1), row }, 0);
    const { found, recorded } = await scanned();
    expect([[...found.keys()], [...recorded.keys()]]).toEqual([[key(2).jobUid], [key(2).jobUid]]);
    expect((await scanned()).found).toEqual(found);
    expect(await jobs.write(key(1), { bytes: Uint8Array.of(1), row }, 0)).toMatchObject({ outcome: "written" });
  });

  it("has all Jobs in its wide lists once a replay has begun", async () => {
    await projections.idle("B").begin();
    await projections.idle("B").begin();
    expect(await projections.open("B").wide?.readCoverage()).toMatchObject({
      since: -62_167_219_200_000,
      sweptTo: NOW,
      isConverted: true,
    });
    expect(await projections.open("A").wide?.readCoverage()).toBeUndefined();
  });

  it("has the items and index keys of the live table after a replay, and the next replay writes nothing", async () => {
    const log = createDynamoLog(dynamo.client, { table: await dynamo.createTable(LOG_SCHEMA), retentionDays: 400 });
    const meta = createDynamoMetaStore(dynamo.client, {
      table: await dynamo.createTable(META_SCHEMA),
      retentionDays: 400,
    });
    const all = { log, meta, projections };
    const pods = Array.from({ length: 300 }, (_, number) => [...podBeginFacts(number), ...podEndFacts(number)]).flat();
    const run = { name: "train", createdAt: NOW - DAY, jobs: ["train-0", "train-1"], running: ["train-2"] };
    const ofRun = [...memberFacts(run), ...runFacts(run)];
    const facts = [...largeJobFacts({ indexed: false, completions: 300 }), ...pods, ...ofRun];
    const items = sealInSegments([...facts, ...fc.sample(arbitraryFact, { numRuns: 80, seed: 4 })], 40, NOW);
    const appended = await appendInPacks(all, items, { arrivedAt: NOW });
    expect((await projectLive(all, appended, PATIENT)).refold).toEqual([]);
    const { idle, idleRuns } = projections;
    const spread = { objects: new MemoryObjects(), idle, idleRuns, isOutage: () => true };
    await idle("B").write(key(1), { bytes: Uint8Array.of(1), row }, 0);
    await idleRuns("B").write(key(1), { bytes: Uint8Array.of(1), row }, 0);
    expect(await rebuildProjection({ ...all, spread }, PATIENT)).toMatchObject({ outcome: "switched", live: "B" });
    expect(await itemsOf(tables.B)).toEqual(await itemsOf(tables.A));
    expect(await itemsOf(runTables.B)).toEqual(await itemsOf(runTables.A));
    expect((await itemsOf(runTables.B)).length).toBeGreaterThan(1);
    const versions = await itemsOf(tables.A, ["ttl"]);
    expect(await rebuildProjection({ ...all, spread }, PATIENT)).toMatchObject({ outcome: "switched", live: "A" });
    expect(await itemsOf(tables.A, ["ttl"])).toEqual(versions);
    const listed = await wideUids("B");
    await removeRecords(tables.B);
    expect((await wideUids("B")).length).toBeLessThan(listed.length);
    expect(await rebuildProjection({ ...all, spread }, PATIENT)).toMatchObject({ outcome: "switched", live: "B" });
    expect(await wideUids("B")).toEqual(listed);
  }, 120_000);

  async function wideUids(projection: "A" | "B") {
    const { wide } = projections.open(projection);
    const { rows = [] } = (await wide?.list(wide.partitions(WIDE_CLASSES), { limit: 500 })) ?? {};
    return rows.map(({ jobUid: uid }) => uid);
  }

  async function removeRecords(table: string) {
    const { Items = [] } = await dynamo.client.send(new ScanCommand({ TableName: table }));
    for (const { pk, sk } of Items.filter((item) => isRecordPartition(item["pk"]?.S ?? ""))) {
      if (pk && sk) await dynamo.client.send(new DeleteItemCommand({ TableName: table, Key: { pk, sk } }));
    }
  }

  /** Items by their key, without some attributes and without the records of the wide lists. */
  async function itemsOf(table: string, without: readonly string[] = ["version", "ttl"]) {
    const { Items = [] } = await dynamo.client.send(new ScanCommand({ TableName: table, ConsistentRead: true }));
    const texts = Items.filter(({ pk }) => pk?.S?.startsWith("#wide") === false).map((item: Item) =>
      Object.keys(item)
        .filter((name) => !without.includes(name))
        .toSorted((a, b) => a.localeCompare(b))
        .map((name) => `${name} ${JSON.stringify(item[name])}`)
        .join("\n"),
    );
    return texts.toSorted();
  }
});
