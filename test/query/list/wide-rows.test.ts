import { beforeEach, describe, expect, it } from "vitest";
import { PROBE_CLUSTER } from "../../../src/ports/deployment/limits.ts";
import { EARLIEST, type Instant } from "../../../src/job/model/instant.ts";
import { namespaceKey } from "../../../src/ports/meta-key.ts";
import { rowOf } from "../../../src/projection/job-state/derive-row.ts";
import { emptyJobState } from "../../../src/projection/job-state/job-state.ts";
import { joinJobState } from "../../../src/projection/job-state/join-job-state.ts";
import { pagesOf } from "../../../src/projection/pages/job-pages.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { listJobs } from "../../../src/query/list/list-jobs.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { WideMemoryStore } from "../../support/stores/wide-memory-store.ts";
import { Story } from "../../support/story/story.ts";

const CLUSTERS = ["east", "west"];

describe("a list of the Jobs of all clusters", () => {
  let jobs: WideMemoryStore;
  let ports: { jobs: WideMemoryStore; meta: MemoryMetaStore; log: MemoryLog };
  beforeEach(() => {
    jobs = new WideMemoryStore(() => 0);
    ports = { jobs, meta: new MemoryMetaStore(), log: new MemoryLog() };
  });

  /** Creates a Job some seconds after the others. */
  async function create(name: string, seconds: number, { cluster = "east", fails = false } = {}): Promise<Instant> {
    const story = new Story(name);
    story.after(seconds);
    story.jobCreated();
    if (fails) story.jobFinished("Failed", "BackoffLimitExceeded");
    const key = { cluster: clusterNamed(cluster), jobUid: story.jobUid };
    const joined = await joinJobState(
      emptyJobState(key.jobUid),
      { facts: story.facts, segments: [] },
      pagesOf(jobs, key),
    );
    const row = joined && rowOf(key.cluster, joined.state);
    if (joined === undefined || row === undefined) throw new Error("The Job has no row.");
    jobs.now = () => row.createdAt;
    await jobs.write(key, { bytes: joined.bytes, row }, 0);
    await ports.meta.write("cluster", key.cluster, { value: "{}", expected: 0 });
    await ports.meta.write("namespace", namespaceKey(key.cluster, row.namespace), { value: "{}", expected: 0 });
    return row.createdAt;
  }

  async function names(filter: Parameters<typeof listJobs>[2]["filter"] = {}, scope: Scope = "everything") {
    const found: string[][] = [];
    for (const order of ["newest", "oldest"] as const) {
      let cursor: string | undefined;
      const all: string[] = [];
      do {
        const list = await listJobs(ports, scope, { filter, order, limit: 2, cursor });
        if (list.outcome !== "listed") throw new Error(list.problem);
        all.push(...list.items.map(({ name }) => name));
        cursor = list.nextCursor;
      } while (cursor !== undefined);
      found.push(order === "newest" ? all : all.toReversed());
    }
    expect(found[0]).toEqual(found[1]);
    return found[0];
  }

  const cover = (since: Instant) => jobs.wide.writeCoverage({ since, sweptTo: 0, isConverted: true }, 0);

  it("reads the lists of all clusters, and no list of a namespace", async () => {
    await cover(EARLIEST);
    for (let n = 0; n < 5; n += 1) await create(`job-${n}`, n, { cluster: CLUSTERS[n % 2] ?? "" });
    expect(await names()).toEqual(["job-4", "job-3", "job-2", "job-1", "job-0"]);
    expect(jobs.reads.namespaces).toBe(0);
  });

  it("merges namespaces for Jobs of an earlier version, which the lists of all clusters do not have", async () => {
    jobs.isEarlierVersion = true;
    for (let n = 0; n < 3; n += 1) await create(`old-${n}`, n, { cluster: CLUSTERS[n % 2] ?? "" });
    // The first sweep has not run yet.
    expect(await names()).toEqual(["old-2", "old-1", "old-0"]);
    jobs.isEarlierVersion = false;
    // Written by this version before the lists are complete.
    await create("between", 3);
    const since = (await create("new-0", 5)) - 1_000;
    await create("new-1", 6, { cluster: "west" });
    await cover(since);
    expect(await names()).toEqual(["new-1", "new-0", "between", "old-2", "old-1", "old-0"]);
    jobs.reads.namespaces = 0;
    expect(await names({ createdAfter: since })).toEqual(["new-1", "new-0"]);
    expect(jobs.reads.namespaces).toBe(0);
  });

  it("selects failed Jobs, and those that need attention, without reading others", async () => {
    await cover(EARLIEST);
    for (let n = 0; n < 30; n += 1) await create(`job-${n}`, n);
    await create("failed", 31, { fails: true });
    jobs.reads.wide = 0;
    expect(await names({ states: ["Failed"] })).toEqual(["failed"]);
    expect(await names({ attention: true })).toEqual(["failed"]);
    expect(jobs.reads).toEqual({ wide: 4, namespaces: 0 });
  });

  it.each(["newest", "oldest"] as const)("ends with a cursor among keys of Jobs that are gone (%s)", async (order) => {
    await cover(EARLIEST);
    const createdAt = await create("real", 1);
    let pages = 0;
    const list: typeof jobs.wide.list = async (partitions, options) => {
      pages += 1;
      if (pages > 100) return jobs.wide.list(partitions, { limit: options.limit, order });
      const at = createdAt + (200 - pages) * (order === "newest" ? 1 : -1);
      return { rows: [], next: { createdAt: at, jobUid: jobUid(`${pages}`), cluster: "east" } };
    };
    const some = { ...ports, jobs: Object.assign(new WideMemoryStore(() => 0), { wide: { ...jobs.wide, list } }) };
    const found: string[] = [];
    let cursor: string | undefined;
    let calls = 0;
    do {
      const before = pages;
      const page = await listJobs(some, "everything", { filter: {}, order, limit: 99, cursor });
      if (page.outcome !== "listed") throw new Error(page.problem);
      found.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
      calls += 1;
      expect(pages - before).toBeLessThanOrEqual(11);
    } while (cursor !== undefined);
    expect([found, calls]).toEqual([["real"], 10]);
  });

  it("has no Job of the artificial cluster of doctor", async () => {
    await cover(EARLIEST);
    await create("real", 1);
    await create("probe", 2, { cluster: PROBE_CLUSTER });
    expect(await names()).toEqual(["real"]);
  });

  it.each<[string, Scope]>([
    ["of a cluster", { grants: [{ cluster: "east", namespaces: "all" }] }],
    ["of a namespace", { grants: [{ cluster: "east", namespaces: ["default"] }] }],
  ])("is not read for a reader %s, so that the Jobs of others cost nothing", async (_, scope) => {
    await cover(EARLIEST);
    await create("own", 1);
    for (let n = 0; n < 30; n += 1) await create(`other-${n}`, n, { cluster: "west" });
    expect(await names({}, scope)).toEqual(["own"]);
    expect(await names({ states: ["Failed"] }, scope)).toEqual([]);
    expect(jobs.reads.wide).toBe(0);
  });

  it("continues at a cursor of an earlier version with the Jobs of its instant", async () => {
    await cover(EARLIEST);
    for (let n = 0; n < 3; n += 1) await create(`job-${n}`, n);
    const query = { filter: {}, limit: 2 } as const;
    const first = await listJobs(ports, "everything", query);
    if (first.outcome !== "listed") throw new Error(first.problem);
    const fields: unknown = JSON.parse(Buffer.from(first.nextCursor ?? "", "base64url").toString("utf8"));
    if (!Array.isArray(fields)) throw new Error("The cursor is not a list.");
    const cursor = Buffer.from(JSON.stringify(fields.slice(0, -1))).toString("base64url");
    const second = await listJobs(ports, "everything", { ...query, cursor });
    expect(second).toMatchObject({ outcome: "listed", items: [{ name: "job-1" }, { name: "job-0" }] });
  });
});
