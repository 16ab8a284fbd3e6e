import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { listSortedJobs, type SortedJobs } from "../../../src/query/list/list-sorted-jobs.ts";
import type { JobSort } from "../../../src/query/list/sort-order.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import type { JobStore } from "../../../src/ports/jobs.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { clusterOf, listedJob, rowOf, second, storesWith } from "../../support/story/listed-job.ts";
import { decodeJobUid } from "../../../src/job/model/ids.ts";

const NOW = Date.parse(second(1_000));
type Listed = SortedJobs & { readonly outcome: "listed" };

async function page(
  ports: QueryPorts,
  sort: JobSort,
  { limit = 100, cursor, scope = "everything" }: { limit?: number; cursor?: string | undefined; scope?: Scope } = {},
): Promise<Listed> {
  const list = await listSortedJobs(ports, scope, { filter: {}, sort, limit, now: NOW, ...(cursor && { cursor }) });
  if (list.outcome === "badCursor") throw new Error(list.problem);
  return list;
}

async function all(ports: QueryPorts, sort: JobSort, limit: number): Promise<readonly JobAnswer[]> {
  const items: JobAnswer[] = [];
  let cursor: string | undefined;
  do {
    const list = await page(ports, sort, { limit, cursor });
    items.push(...list.items);
    cursor = list.nextCursor;
  } while (cursor !== undefined);
  return items;
}

/** A store that sorts at most this many Jobs. */
async function storesSorting(mostSorted: number, jobs: readonly JobAnswer[]) {
  const ports = await storesWith(jobs);
  const bounded: JobStore = Object.assign(ports.jobs, { mostSorted });
  return { ...ports, jobs: bounded };
}

const uids = (items: readonly JobAnswer[]): readonly string[] => items.map(({ cluster, uid }) => `${cluster}/${uid}`);

const drawnJobs = fc.uniqueArray(
  fc.record({
    cluster: fc.constantFrom("east", "west"),
    uid: fc.integer({ min: 1, max: 30 }).map((number) => `uid-${number}`),
    name: fc.constantFrom("a", "b", "c"),
    createdAt: fc.integer({ min: 0, max: 5 }).map(second),
    finishedAt: fc.integer({ min: 5, max: 9 }).map(second),
  }),
  { selector: ({ cluster, uid }) => `${cluster}/${uid}`, maxLength: 40 },
);
const sorts = fc.record({ by: fc.constantFrom("name", "finished", "duration"), descending: fc.boolean() });

describe("a sorted list of Jobs", () => {
  it("has every Job once, in the same order for any page size", async () => {
    await fc.assert(
      fc.asyncProperty(drawnJobs, sorts, fc.integer({ min: 1, max: 7 }), async (drawn, sort, limit) => {
        const ports = await storesWith(drawn.map((job) => listedJob(job)));
        const whole = await page(ports, sort);
        expect(uids(await all(ports, sort, limit))).toEqual(uids(whole.items));
        expect(uids(whole.items).toSorted()).toEqual(drawn.map(({ cluster, uid }) => `${cluster}/${uid}`).toSorted());
        expect(whole.sorted).toEqual({ complete: true });
        const keys = whole.items.map((job) => (sort.by === "name" ? job.name : (job.finishedAt ?? "")));
        const ascending = sort.descending ? keys.toReversed() : keys;
        if (sort.by !== "duration") expect(ascending).toEqual(ascending.toSorted());
      }),
    );
  });

  it("has Jobs that have not finished last, in both directions", async () => {
    const { finishedAt: _, ...running } = listedJob({ uid: "running" });
    const ports = await storesWith([running, listedJob({ uid: "done" })]);
    for (const descending of [false, true]) {
      expect(uids((await page(ports, { by: "finished", descending })).items)).toEqual(["east/done", "east/running"]);
    }
  });

  it("sorts the newest Jobs up to the bound of the store, and says since when it has all", async () => {
    const jobs = [1, 2, 3, 3, 4].map((at, index) =>
      listedJob({ uid: `uid-${index}`, createdAt: second(at), name: `j${9 - index}` }),
    );
    const { items, sorted } = await page(await storesSorting(2, jobs), { by: "name", descending: false });
    // Two Jobs were created at second 3, and only one of them is within the bound.
    expect({ uids: uids(items), sorted }).toEqual({
      uids: ["east/uid-4"],
      sorted: { complete: false, since: second(4) },
    });
    const more = await page(await storesSorting(3, jobs), { by: "name", descending: false });
    expect(uids(more.items)).toEqual(["east/uid-4", "east/uid-3", "east/uid-2"]);
    expect(more.sorted).toEqual({ complete: false, since: second(3) });
  });

  it("sorts Jobs of one instant although it exceeds the bound", async () => {
    const jobs = ["a", "b", "c"].map((uid) => listedJob({ uid }));
    const { items, sorted } = await page(await storesSorting(2, jobs), { by: "name", descending: false });
    expect(items).toHaveLength(2);
    expect(sorted).toEqual({ complete: false, since: second(0) });
  });

  it("repeats and hides nothing when Jobs are created between two pages", async () => {
    const jobs = [1, 2, 3, 4].map((at) => listedJob({ uid: `uid-${at}`, createdAt: second(at), name: `j${at}` }));
    const ports = await storesSorting(4, jobs);
    const first = await page(ports, { by: "name", descending: false }, { limit: 2 });
    const late = listedJob({ uid: "uid-5", createdAt: second(5), name: "j0" });
    const jobUid = decodeJobUid(late.uid);
    if (jobUid === undefined) throw new Error("no uid");
    await ports.jobs.write({ cluster: clusterOf("east"), jobUid }, { bytes: new Uint8Array(), row: rowOf(late) }, 0);
    const rest = await page(ports, { by: "name", descending: false }, { limit: 2, cursor: first.nextCursor });
    expect(uids([...first.items, ...rest.items])).toEqual(["east/uid-1", "east/uid-2", "east/uid-3", "east/uid-4"]);
    expect(rest.nextCursor).toBeUndefined();
  });

  it("shows a reader only what was granted", async () => {
    const ports = await storesWith([listedJob({ uid: "mine" }), listedJob({ uid: "theirs", namespace: "theirs" })]);
    const scope: Scope = { grants: [{ cluster: "east", namespaces: ["batch"] }] };
    expect(uids((await page(ports, { by: "name", descending: true }, { scope })).items)).toEqual(["east/mine"]);
  });

  it("refuses the cursor of another order", async () => {
    const ports = await storesWith([listedJob({ uid: "a" }), listedJob({ uid: "b" })]);
    const { nextCursor } = await page(ports, { by: "name", descending: true }, { limit: 1 });
    await expect(page(ports, { by: "name", descending: false }, { cursor: nextCursor })).rejects.toThrow(
      "another query",
    );
  });
});
