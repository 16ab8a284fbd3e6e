import { beforeEach, describe, expect, it } from "vitest";
import { EARLIEST, type Instant } from "../../../src/job/model/instant.ts";
import { namespaceKey } from "../../../src/ports/meta-key.ts";
import { rowOf } from "../../../src/projection/job-state/derive-row.ts";
import { emptyJobState } from "../../../src/projection/job-state/job-state.ts";
import { joinJobState } from "../../../src/projection/job-state/join-job-state.ts";
import { pagesOf } from "../../../src/projection/pages/job-pages.ts";
import { sweepJobs } from "../../../src/upkeep/sweep/sweep-jobs.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { WideMemoryStore } from "../../support/stores/wide-memory-store.ts";
import { Story } from "../../support/story/story.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BEGIN = new Story("begin").now;

describe("a round of the sweep, in a store with lists of all clusters", () => {
  let now: Instant;
  let jobs: WideMemoryStore;
  let meta: MemoryMetaStore;
  beforeEach(() => {
    now = BEGIN;
    jobs = new WideMemoryStore(() => now);
    meta = new MemoryMetaStore();
  });

  /** Creates a Job `seconds` after the others; its first facts are written at once. */
  async function create(name: string, seconds: number, { cluster = "east", ends = false } = {}): Promise<void> {
    const story = new Story(name);
    story.after(seconds);
    story.jobCreated();
    if (ends) story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    now = story.now;
    const key = { cluster: clusterNamed(cluster), jobUid: story.jobUid };
    const delta = { facts: story.facts, segments: [] };
    const joined = await joinJobState(emptyJobState(key.jobUid), delta, pagesOf(jobs, key));
    const row = joined && rowOf(key.cluster, joined.state);
    if (joined === undefined || row === undefined) throw new Error("The Job has no row.");
    await jobs.write(key, { bytes: joined.bytes, row }, 0);
    await meta.write("cluster", cluster, { value: "{}", expected: 0 });
    await meta.write("namespace", namespaceKey(key.cluster, row.namespace), { value: "{}", expected: 0 });
  }

  const sweepAt = (at: Instant, rows = 1_000) => {
    now = at;
    return sweepJobs({ jobs, meta }, { now, rows });
  };
  const sweptTo = async () => (await jobs.wide.readCoverage())?.sweptTo;
  const uidsIn = async (wideClass: "O" | "A") =>
    (await jobs.wide.list(jobs.wide.partitions([wideClass]), { limit: 99 })).rows
      .map(({ jobUid }) => jobUid)
      .toSorted();

  it("moves live Jobs that are old enough to the list of long-lived ones, and later visits only those", async () => {
    await sweepAt(BEGIN);
    await create("short", 10, { ends: true });
    await create("long", 20);
    await create("young", 300);
    expect(await sweepAt(BEGIN + 5 * MINUTE)).toMatchObject({ rows: 1, rewritten: 1, isBehind: false });
    expect([await uidsIn("O"), await uidsIn("A")]).toEqual([uids("short", "young"), uids("long")]);
    expect(await sweepAt(BEGIN + 10 * MINUTE)).toMatchObject({ rows: 2, rewritten: 1 });
    expect(await uidsIn("A")).toEqual(uids("long", "young"));
    expect(await sweepAt(BEGIN + 15 * MINUTE)).toMatchObject({ rows: 2, rewritten: 0 });
  });

  it("reads no list of a namespace in a stage that has begun with this version", async () => {
    await sweepAt(BEGIN);
    await create("long", 1);
    await sweepAt(BEGIN + HOUR);
    expect(jobs.reads.namespaces).toBe(0);
    expect(await jobs.wide.readCoverage()).toMatchObject({ since: EARLIEST, isConverted: true });
  });

  it("continues in the middle of a list, and visits every Job of its time once", async () => {
    await sweepAt(BEGIN);
    for (let n = 0; n < 250; n += 1) await create(`job-${n}`, 1, { cluster: n % 2 === 0 ? "east" : "west" });
    const runs = [];
    do runs.push(await sweepAt(BEGIN + 6 * MINUTE, 100));
    while (runs.at(-1)?.isBehind === true);
    expect(runs.map(({ rewritten }) => rewritten)).toEqual([100, 100, 50]);
    expect(await uidsIn("O")).toEqual([]);
  });

  describe("of several shards", () => {
    const of = 3;
    const shardAt = (at: Instant, index: number, rows = 1_000) => {
      now = at;
      return sweepJobs({ jobs, meta }, { now, rows, shard: { index, of } });
    };
    const allAt = (at: Instant) => Promise.all(Array.from({ length: of }, (_, index) => shardAt(at, index)));

    it("visits every Job once, though the shards begin at the same time", async () => {
      await allAt(BEGIN);
      for (let n = 0; n < 40; n += 1) await create(`job-${n}`, 1);
      const moved = await allAt(BEGIN + 6 * MINUTE);
      expect(moved.map(({ rewritten }) => rewritten)).toEqual([0, 0, 40]);
      const visited = await allAt(BEGIN + 11 * MINUTE);
      expect(visited.map(({ rows }) => rows)).toEqual([40, 0, 0]);
    });

    it("ends with its last shard: until then, new Jobs count as not visited", async () => {
      await allAt(BEGIN);
      const before = await sweptTo();
      await create("long", 1);
      await shardAt(BEGIN + 6 * MINUTE, 0);
      expect(await shardAt(BEGIN + 6 * MINUTE, 1)).toMatchObject({ sweptSince: BEGIN });
      expect(await sweptTo()).toBe(before);
      expect(await shardAt(BEGIN + 7 * MINUTE, 2)).toMatchObject({ rewritten: 1, sweptSince: BEGIN + 6 * MINUTE });
      expect(await sweptTo()).toBe(BEGIN + 1.5 * MINUTE);
    });

    it("waits for a shard that stopped in the middle; the others visit nothing twice", async () => {
      await allAt(BEGIN);
      for (let n = 0; n < 150; n += 1) await create(`job-${n}`, 1);
      await shardAt(BEGIN + 6 * MINUTE, 0);
      await shardAt(BEGIN + 6 * MINUTE, 1);
      expect(await shardAt(BEGIN + 6 * MINUTE, 2, 100)).toMatchObject({ rewritten: 100, isBehind: true });
      // The other lists have these Jobs by now, but this round has not visited them.
      expect(await shardAt(BEGIN + 11 * MINUTE, 0)).toMatchObject({ rows: 0, isBehind: false, sweptSince: BEGIN });
      const rest = await shardAt(BEGIN + 11 * MINUTE, 2);
      expect(rest).toMatchObject({ rewritten: 50, isBehind: false, sweptSince: BEGIN + 6 * MINUTE });
      expect(await shardAt(BEGIN + 16 * MINUTE, 0)).toMatchObject({ rows: 150, sweptSince: BEGIN + 6 * MINUTE });
    });

    it("is visited anew where the number of shards was changed", async () => {
      await allAt(BEGIN);
      await create("long", 1);
      await shardAt(BEGIN + 6 * MINUTE, 0);
      expect(await sweepAt(BEGIN + 7 * MINUTE)).toMatchObject({ rewritten: 1, isBehind: false });
      expect(await sweptTo()).toBe(BEGIN + 1.5 * MINUTE);
    });
  });

  describe("after an upgrade", () => {
    beforeEach(async () => {
      jobs.isEarlierVersion = true;
      await create("earlier", 1);
      jobs.isEarlierVersion = false;
    });

    it("moves live Jobs of the earlier version from the lists of their namespaces", async () => {
      expect(await sweepAt(BEGIN + 5 * MINUTE)).toMatchObject({ rows: 1, rewritten: 1 });
      expect(await uidsIn("A")).toEqual(uids("earlier"));
      expect(await jobs.wide.readCoverage()).toMatchObject({ since: BEGIN + 5 * MINUTE + HOUR, isConverted: false });
    });

    it("stops reading namespaces when none has such a Job, and no earlier version can run any more", async () => {
      await sweepAt(BEGIN + 5 * MINUTE);
      // A function of the earlier version still runs during the deployment.
      jobs.isEarlierVersion = true;
      await create("late", 360);
      jobs.isEarlierVersion = false;
      const isConverted = async () => (await jobs.wide.readCoverage())?.isConverted;
      await sweepAt(BEGIN + 10 * MINUTE);
      await sweepAt(BEGIN + 15 * MINUTE);
      expect(await isConverted()).toBe(false);
      await sweepAt(BEGIN + 65 * MINUTE);
      expect(await isConverted()).toBe(true);
      jobs.reads.namespaces = 0;
      expect(await sweepAt(BEGIN + 70 * MINUTE)).toMatchObject({ rows: 2 });
      expect(jobs.reads.namespaces).toBe(0);
    });
  });

  it("does not count for a projection that has become the live one in the middle of it", async () => {
    await sweepAt(BEGIN);
    for (let n = 0; n < 150; n += 1) await create(`job-${n}`, 1);
    expect(await sweepAt(BEGIN + 6 * MINUTE, 100)).toMatchObject({ isBehind: true });
    const rebuilt = new WideMemoryStore(() => now);
    const before = BEGIN + 2 * MINUTE;
    await rebuilt.wide.writeCoverage({ since: EARLIEST, sweptTo: before, isConverted: true }, 0);
    await sweepJobs({ jobs: rebuilt, meta }, { now: BEGIN + 7 * MINUTE });
    expect(await rebuilt.wide.readCoverage()).toMatchObject({ sweptTo: before });
    await sweepJobs({ jobs: rebuilt, meta }, { now: BEGIN + 12 * MINUTE });
    expect(await rebuilt.wide.readCoverage()).toMatchObject({ sweptTo: BEGIN + 7.5 * MINUTE });
  });
});

function uids(...names: readonly string[]): readonly string[] {
  return names.map((name) => new Story(name).jobUid).toSorted();
}
