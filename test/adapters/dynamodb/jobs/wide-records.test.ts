import { DeleteItemCommand, PutItemCommand, type QueryCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, it } from "vitest";
import { seededRandom } from "../../../../bench/fault-run/seeded-random.ts";
import { createDynamoEraser } from "../../../../src/adapters/dynamodb/erase/dynamo-eraser.ts";
import { createDynamoJobExpiries } from "../../../../src/adapters/dynamodb/jobs/dynamo-job-expiries.ts";
import { createDynamoJobStore } from "../../../../src/adapters/dynamodb/jobs/dynamo-job-store.ts";
import { encodeCreated } from "../../../../src/adapters/dynamodb/jobs/created-key.ts";
import { fromJobState, stateKey } from "../../../../src/adapters/dynamodb/jobs/job-item.ts";
import { WIDE_RECORD_PARTITIONS } from "../../../../src/adapters/dynamodb/jobs/list-partition.ts";
import { fromWideRecord } from "../../../../src/adapters/dynamodb/jobs/wide-record.ts";
import { JOBS_SCHEMA } from "../../../../src/ports/deployment/tables.ts";
import { NEVER, uniformRetention } from "../../../../src/ports/expiry/job-expiry.ts";
import type { JobRow } from "../../../../src/ports/job-row.ts";
import type { JobKey, JobStore } from "../../../../src/ports/jobs.ts";
import { WIDE_CLASSES, type WideClass, type WidePosition } from "../../../../src/ports/wide-lists.ts";
import type { SweepPosition } from "../../../../src/ports/records/sweep-checkpoint.ts";
import { readSweptPage, type SweptPage } from "../../../../src/upkeep/sweep/sweep-lists.ts";
import type { Fact } from "../../../../src/job/model/fact.ts";
import { MemoryLog } from "../../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { storesOver, tell } from "../../../support/stores/stores-with-facts.ts";
import { Story } from "../../../support/story/story.ts";
import { skipWithoutDynamoLocal } from "../../../support/aws/dynamodb-local.ts";
import { useDynamoLocal } from "../../../support/aws/use-dynamo-local.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const SECOND = 1_000;
const DAY = 86_400_000;
const retentionDays = 400;

const keyOf = (uid: string, cluster = "east"): JobKey => ({ cluster: clusterNamed(cluster), jobUid: jobUid(uid) });

const rowOf = (changes: Partial<JobRow>): JobRow => {
  const summary = Uint8Array.of(1);
  return { namespace: "shop", name: "n", createdAt: NOW, phase: "A", attention: false, summary, ...changes };
};

describe.skipIf(skipWithoutDynamoLocal)("the records of the wide lists", () => {
  const dynamo = useDynamoLocal();
  let table: string;
  let now: number;
  let jobs: JobStore;
  beforeEach(async () => {
    table = await dynamo.createTable(JOBS_SCHEMA);
    now = NOW;
    jobs = createDynamoJobStore(dynamo.client, { table, retentionDays, now: () => now });
  });

  /** Writes a Job as a projector does: what it has read goes back to the store. */
  const write = async (key: JobKey, changes: Partial<JobRow> = {}) => {
    const { version = 0, ...stored } = (await jobs.read(key)) ?? {};
    return jobs.write(key, { ...stored, bytes: Uint8Array.of(1), row: rowOf(changes) }, version);
  };
  const create = (uids: readonly string[], changes: Partial<JobRow> = {}) =>
    Promise.all(uids.map((uid) => jobs.write(keyOf(uid), { bytes: Uint8Array.of(1), row: rowOf(changes) }, 0)));
  const listed = async (
    classes: readonly WideClass[] = WIDE_CLASSES,
    order: "newest" | "oldest" = "newest",
    limit = 3,
  ) => {
    const { wide } = jobs;
    if (wide === undefined) throw new Error("The store has no wide lists.");
    const ids: string[] = [];
    let after: WidePosition | undefined;
    do {
      const page = await wide.list(wide.partitions(classes), { after, limit, order });
      ids.push(...page.rows.map(({ cluster, jobUid: uid }) => `${cluster}/${uid}`));
      after = page.next;
    } while (after !== undefined);
    return ids;
  };
  const records = async () => {
    const { Items = [] } = await dynamo.client.send(new ScanCommand({ TableName: table }));
    return Items.filter(({ pk }) => WIDE_RECORD_PARTITIONS.includes(pk?.S ?? ""));
  };
  /** How many index entries there are. */
  const entries = async () => {
    const { Items = [] } = await dynamo.client.send(new ScanCommand({ TableName: table, IndexName: "wide" }));
    return Items.length;
  };
  const remove = ({ pk, sk }: { readonly pk: string; readonly sk: string }) =>
    dynamo.client.send(new DeleteItemCommand({ TableName: table, Key: { pk: { S: pk }, sk: { S: sk } } }));

  /** The lists, and the partitions of the table that they have queried. */
  const noted = () => {
    const client = dynamo.openClient();
    const queried: string[] = [];
    client.middlewareStack.add(
      (next) => (args) => {
        const { TableName, IndexName, ExpressionAttributeValues } = args.input as QueryCommand["input"];
        if (IndexName === undefined) queried.push(ExpressionAttributeValues?.[":partition"]?.S ?? String(TableName));
        return next(args);
      },
      { step: "initialize" },
    );
    return { wide: createDynamoJobStore(client, { table, retentionDays, now: () => now }).wide, queried };
  };

  it("have Jobs that are written at once, in place of index entries", async () => {
    await create(["a", "b", "c"]);
    expect([(await records()).length, await entries()]).toEqual([1, 0]);
    await write(keyOf("a"), { phase: "F", endedAt: NOW + SECOND });
    expect([(await records()).length, await entries()]).toEqual([1, 0]);
    expect(await listed()).toEqual(["east/a", "east/b", "east/c"]);
  });

  it("are what a projector needs for Jobs of a batch from their creation to their deletion", async () => {
    const [a = [], b = []] = ["a", "b"].map((uid): readonly Fact[] => {
      const story = new Story(uid);
      story.jobCreated();
      story.podSucceeds("pod", 5, { tracked: true });
      story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
      story.jobDeleted();
      return story.facts;
    });
    now = Math.min(...a.map(({ at }) => at));
    const stores = storesOver({ jobs, meta: new MemoryMetaStore(), log: new MemoryLog() });
    await tell(stores, [...a.slice(0, 1), ...b.slice(0, 1), ...a.slice(1), ...b.slice(1)], { factsInSegment: 2 });
    expect([(await records()).length, await entries()]).toEqual([1, 0]);
    expect(await listed()).toHaveLength(2);
  });

  it("are several for Jobs that were not created together", async () => {
    const ages = [0, 9, 10, 11, 20, 22, 40];
    await Promise.all(ages.map((age) => create([`${age}`], { createdAt: NOW - age * SECOND })));
    expect(await records()).toHaveLength(4);
    expect(await listed()).toEqual(ages.map((age) => `east/${age}`));
  });

  it("expire with the Jobs", async () => {
    await create(["a"]);
    const [record] = await records();
    expect(Number(record?.["ttl"]?.N) * 1_000).toBe(NOW + retentionDays * DAY);
  });

  it("are read in pages, whether or not DynamoDB has deleted what has expired", async () => {
    const [pk = ""] = WIDE_RECORD_PARTITIONS;
    await create(["z"]);
    for (let n = 1; n <= 60; n += 1) {
      const created = encodeCreated({ createdAt: NOW - (400 * DAY + n * 20 * SECOND), jobUid: jobUid(`${n}`) });
      const item = { ...fromWideRecord([{ pk: `east#${n}`, created }]), pk: { S: pk }, ttl: { N: `${NOW / 1_000}` } };
      await dynamo.client.send(new PutItemCommand({ TableName: table, Item: item }));
    }
    const { wide, queried } = noted();
    const page = await wide?.list(wide.partitions(["O"]), { limit: 4, order: "oldest" });
    expect(page).toMatchObject({ rows: [], next: { jobUid: "57" } });
    expect(queried.length).toBeLessThanOrEqual(4);
    expect(await listed(["O"], "oldest", 4)).toEqual(["east/z"]);
  });

  it("show no Job whose state was not written", async () => {
    await create(["a", "b"]);
    await remove(stateKey(keyOf("a")));
    expect(await listed()).toEqual(["east/b"]);
    await create(["a"]);
    expect(await records()).toHaveLength(2);
    expect(await listed(WIDE_CLASSES, "newest", 1)).toEqual(["east/a", "east/b"]);
    expect(await listed(WIDE_CLASSES, "oldest", 1)).toEqual(["east/b", "east/a"]);
  });

  it("show a Job of two projectors once", async () => {
    const outcomes = await create(["a", "b", "a"]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["conflict", "written", "written"]);
    expect(await listed()).toEqual(["east/a", "east/b"]);
  });

  it("show a Job at the time of its creation after that has changed", async () => {
    await create(["a", "b"]);
    await write(keyOf("a"), { createdAt: NOW - 5 * SECOND });
    await create(["c"], { createdAt: NOW - 2 * SECOND });
    expect(await listed()).toEqual(["east/b", "east/c", "east/a"]);
    expect(await listed(["O"], "oldest", 1)).toEqual(["east/a", "east/c", "east/b"]);
  });

  it("show no Job that is in another class", async () => {
    await create(["a", "b"]);
    await write(keyOf("a"), { attention: true });
    now += 5 * 60_000;
    await write(keyOf("b"));
    expect(await listed()).toEqual(["east/a", "east/b"]);
    expect([await listed(["O"]), await listed(["T"]), await listed(["A"])]).toEqual([[], ["east/a"], ["east/b"]]);
    await write(keyOf("b"), { phase: "F", endedAt: now });
    expect([await listed(["O"]), await listed(["A"])]).toEqual([["east/b"], []]);
  });

  it("have the Jobs of which a sweep moves those that have become long-lived", async () => {
    await create(["a", "b", "c", "d"]);
    await write(keyOf("b"), { phase: "F", endedAt: NOW });
    await write(keyOf("c"), { attention: true });
    await create(["late"], { createdAt: NOW + 40 * SECOND });
    const round = { startedAt: now, previousStartedAt: now, newFrom: NOW - SECOND, newTo: NOW + 30 * SECOND };
    now += 5 * 60_000;
    const swept: string[] = [];
    for (const partition of jobs.wide?.partitions(["O", "T"]) ?? []) {
      let position: SweepPosition | undefined = { list: "new", partition };
      while (position !== undefined) {
        const page: SweptPage = await readSweptPage(jobs, position, { round, limit: 2 });
        for (const { row, isMisplaced } of page.jobs) if (isMisplaced) swept.push(row.jobUid);
        position = page.next;
      }
    }
    expect(swept.toSorted()).toEqual(["a", "c", "d"]);
    for (const uid of ["a", "c", "d"]) await write(keyOf(uid), { attention: uid === "c" });
    expect([await listed(["A"]), await listed(["B"])]).toEqual([["east/a", "east/d"], ["east/c"]]);
    expect(await listed()).toEqual(["late", "a", "b", "c", "d"].map((uid) => `east/${uid}`));
  });

  it("are merged with the entries of an earlier version", async () => {
    const written = { version: 1, retention: uniformRetention(retentionDays), now: NOW };
    const state = { bytes: Uint8Array.of(1), row: rowOf({}) };
    for (const uid of ["a", "c", "e"]) {
      const Item = { ...fromJobState(keyOf(uid), state, written) };
      await dynamo.client.send(new PutItemCommand({ TableName: table, Item }));
    }
    await create(["b", "d"]);
    expect(await listed()).toEqual(["a", "b", "c", "d", "e"].map((uid) => `east/${uid}`));
    await write(keyOf("a"), { phase: "F", endedAt: NOW });
    expect(await entries()).toBe(3);
    expect(await listed(WIDE_CLASSES, "oldest", 2)).toEqual(["e", "d", "c", "b", "a"].map((uid) => `east/${uid}`));
  });

  it("are not needed once a Job has another expiry", async () => {
    const ended = { phase: "F", endedAt: NOW } as const;
    await create(["a", "b"], ended);
    const expiries = createDynamoJobExpiries(dynamo.client, { table });
    expect(await expiries.setState(keyOf("a"), { version: 1, expiresAt: NEVER })).toBe("written");
    for (const { pk, sk } of await records()) await remove({ pk: pk?.S ?? "", sk: sk?.S ?? "" });
    expect(await listed()).toEqual(["east/a"]);
    await write(keyOf("a"), ended);
    expect(await listed()).toEqual(["east/a"]);
  });

  it("do not have erased Jobs, and still have the others", async () => {
    await create(["a", "b", "c"]);
    await create(["d"], { createdAt: NOW - DAY, phase: "F", endedAt: NOW - DAY });
    const both = { A: table, B: table };
    const tables = { log: table, meta: table, jobs: both, runs: both };
    const { unlistJobs } = createDynamoEraser(dynamo.client, tables);
    const erased = [jobUid("a"), jobUid("d")];
    const unlist = () => unlistJobs("A", ({ jobUid: uid }) => erased.includes(uid));
    expect([await unlist(), await unlist()]).toEqual([2, 0]);
    expect(await listed()).toEqual(["east/b", "east/c"]);
    const [record, ...others] = await records();
    expect(others).toEqual([]);
    expect(Number(record?.["ttl"]?.N) * 1_000).toBe(NOW + retentionDays * DAY);
  });

  it("are erased if they cannot be read", async () => {
    const [pk = ""] = WIDE_RECORD_PARTITIONS;
    const Item = { pk: { S: pk }, sk: { S: "0000000000#0" }, codec: { N: "1" }, jobs: { B: Uint8Array.of(1) } };
    await dynamo.client.send(new PutItemCommand({ TableName: table, Item }));
    const both = { A: table, B: table };
    const tables = { log: table, meta: table, jobs: both, runs: both };
    const { unlistJobs } = createDynamoEraser(dynamo.client, tables);
    expect(await unlistJobs("A", () => false)).toBe(1);
    expect(await records()).toEqual([]);
  });

  it.each([1, 2, 3])(
    "give the same list for every page size and order, whatever was written together (%i)",
    async (seed) => {
      const random = seededRandom(seed);
      const dice = (sides: number) => Math.floor(random() * sides);
      const expected = new Map<string, string>();
      for (let batch = 0; batch < 8; batch += 1) {
        const begin = NOW + batch * dice(8_000);
        const own = Array.from({ length: 1 + dice(9) }, (_, n) => {
          const key = keyOf(`${batch}-${n}`, `c${dice(3)}`);
          const changes = { createdAt: begin - dice(4) * 4_000, ...(dice(8) === 0 && { attention: true }) };
          expected.set(`${key.cluster}/${key.jobUid}`, `${NOW * 2 - changes.createdAt}#${key.jobUid}#${key.cluster}`);
          return write(key, changes);
        });
        await Promise.all(own);
      }
      const ids = [...expected].toSorted(([, a], [, b]) => (a < b ? -1 : 1)).map(([id]) => id);
      for (const limit of [3, 8, 100]) {
        expect(await listed(WIDE_CLASSES, "newest", limit)).toEqual(ids);
        expect(await listed(WIDE_CLASSES, "oldest", limit)).toEqual(ids.toReversed());
      }
    },
  );

  it("give one order if each of them overlaps many others", async () => {
    const ages: (readonly [string, number])[] = [];
    for (let n = 0; n < 20; n += 1) {
      const both: typeof ages = [
        [`new-${n}`, NOW + n * SECOND],
        [`old-${n}`, NOW + n * SECOND - 9_500],
      ];
      await Promise.all(both.map(([uid, createdAt]) => create([uid], { createdAt })));
      ages.push(...both);
    }
    expect(await records()).toHaveLength(20);
    const ids = ages.toSorted(([, a], [, b]) => b - a).map(([uid]) => `east/${uid}`);
    expect(await listed(WIDE_CLASSES, "newest", 6)).toEqual(ids);
    expect(await listed(WIDE_CLASSES, "oldest", 6)).toEqual(ids.toReversed());
  });

  it("are read with one query of each partition for the first page", async () => {
    for (let batch = 0; batch < 15; batch += 1) {
      await create(
        Array.from({ length: 7 }, (_, n) => `${batch}-${n}`),
        { createdAt: NOW + 100 * batch },
      );
    }
    const { wide, queried } = noted();
    const page = await wide?.list(wide.partitions(WIDE_CLASSES), { limit: 100 });
    expect(page?.rows).toHaveLength(100);
    // The last one is BatchGetItem.
    expect(queried).toEqual([...WIDE_RECORD_PARTITIONS, "undefined"]);
  });
});
