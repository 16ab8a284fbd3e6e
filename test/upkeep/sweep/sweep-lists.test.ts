import { describe, expect, it } from "vitest";
import { EARLIEST } from "../../../src/job/model/instant.ts";
import { namespaceKey } from "../../../src/ports/meta-key.ts";
import type { SweepPosition } from "../../../src/ports/records/sweep-checkpoint.ts";
import { ALL_LISTS, readSweptPage, sweptLists } from "../../../src/upkeep/sweep/sweep-lists.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { WideMemoryStore } from "../../support/stores/wide-memory-store.ts";

const NOW = Date.UTC(2026, 10, 22, 12);
const MINUTE = 60_000;
const east = clusterNamed("east");
const ROUND = { startedAt: NOW, previousStartedAt: NOW, newFrom: EARLIEST, newTo: NOW - MINUTE };

async function metaWithNamespaces(...names: readonly string[]): Promise<MemoryMetaStore> {
  const meta = new MemoryMetaStore();
  for (const name of names) await meta.write("namespace", namespaceKey(east, name), { value: "{}", expected: 0 });
  return meta;
}

async function textsOf(lists: AsyncGenerator<SweepPosition>): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const list of lists) {
    texts.push(list.list === "namespace" ? `${list.cluster}/${list.namespace}` : `${list.list} ${list.partition}`);
  }
  return texts;
}

describe("the lists of a sweep", () => {
  it("are those of all clusters, and of namespaces while an earlier version has written there", async () => {
    const stores = { jobs: new WideMemoryStore(() => NOW), meta: await metaWithNamespaces("a", "b") };
    const wide = ["longLived A", "longLived B", "new O", "new T"];
    expect(await textsOf(sweptLists(stores, { shard: ALL_LISTS, begin: undefined, hasNamespaces: false }))).toEqual(
      wide,
    );
    const all = [...wide, "east/a", "east/b"];
    expect(await textsOf(sweptLists(stores, { shard: ALL_LISTS, begin: undefined, hasNamespaces: true }))).toEqual(all);
  });

  it.each<[string, SweepPosition, readonly string[]]>([
    ["a list of all clusters", { list: "new", partition: "O" }, ["new O", "new T", "east/a", "east/b"]],
    ["a namespace", { list: "namespace", cluster: east, namespace: "b" }, ["east/b"]],
  ])("continue at %s", async (_, begin, expected) => {
    const stores = { jobs: new WideMemoryStore(() => NOW), meta: await metaWithNamespaces("a", "b") };
    expect(await textsOf(sweptLists(stores, { shard: ALL_LISTS, begin, hasNamespaces: true }))).toEqual(expected);
  });

  it("are divided among shards, each in one of them; the first one takes those of namespaces", async () => {
    const stores = { jobs: new WideMemoryStore(() => NOW), meta: await metaWithNamespaces("a") };
    const of = 3;
    const divided = await Promise.all(
      Array.from({ length: of }, (_, index) =>
        textsOf(sweptLists(stores, { shard: { index, of }, begin: undefined, hasNamespaces: true })),
      ),
    );
    expect(divided).toEqual([["longLived A", "new T", "east/a"], ["longLived B"], ["new O"]]);
  });

  it("are those of the namespaces in a store without lists of all clusters", async () => {
    const stores = { jobs: new MemoryJobStore(), meta: await metaWithNamespaces("a") };
    expect(await textsOf(sweptLists(stores, { shard: ALL_LISTS, begin: undefined, hasNamespaces: true }))).toEqual([
      "east/a",
    ]);
  });
});

describe("a page of new Jobs", () => {
  it("has those of its time that are live, oldest first, and ends with them", async () => {
    const jobs = new WideMemoryStore(() => NOW);
    const row = { namespace: "n", name: "n", attention: false, summary: Uint8Array.of(1) } as const;
    const ages = { old: [3, "A"], ended: [2, "F"], due: [1, "A"], young: [0, "A"] } as const;
    for (const [uid, [minutes, phase]] of Object.entries(ages)) {
      const state = { bytes: Uint8Array.of(1), row: { ...row, phase, createdAt: NOW - minutes * MINUTE } };
      await jobs.write({ cluster: east, jobUid: jobUid(uid) }, state, 0);
    }
    const page = await readSweptPage(jobs, { list: "new", partition: "O" }, { round: ROUND, limit: 3 });
    expect(page.jobs.map((job) => [job.row.jobUid, job.isMisplaced])).toEqual([
      ["old", true],
      ["due", true],
    ]);
    expect(page.next).toMatchObject({ list: "new", after: { jobUid: "due" } });
    if (page.next === undefined) return;
    expect(await readSweptPage(jobs, page.next, { round: ROUND, limit: 3 })).toEqual({ jobs: [], next: undefined });
  });
});
