import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { JobFilter } from "../../../src/query/list/job-filter.ts";
import { listJobs, MAX_ROWS_READ } from "../../../src/query/list/list-jobs.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { clusterOf, listedJob, second, storesWith } from "../../support/story/listed-job.ts";

async function page(
  ports: QueryPorts,
  filter: JobFilter,
  limit: number,
  cursor?: string,
  scope: Scope = "everything",
  order: "newest" | "oldest" = "newest",
) {
  const list = await listJobs(ports, scope, { filter, limit, cursor, order });
  if (list.outcome !== "listed") throw new Error(list.problem);
  return list;
}

async function all(
  ports: QueryPorts,
  filter: JobFilter,
  limit: number,
  scope: Scope = "everything",
  order: "newest" | "oldest" = "newest",
): Promise<readonly JobAnswer[]> {
  const items: JobAnswer[] = [];
  let cursor: string | undefined;
  do {
    const list = await page(ports, filter, limit, cursor, scope, order);
    items.push(...list.items);
    cursor = list.nextCursor;
  } while (cursor !== undefined);
  return items;
}

const uids = (jobs: readonly JobAnswer[]): readonly string[] => jobs.map(({ cluster, uid }) => `${cluster}/${uid}`);

/**
 * Jobs of two clusters, three namespaces, both halves; many created in the same second, and some with the same uid in
 * both clusters.
 */
const jobs = fc.uniqueArray(
  fc.record({
    cluster: fc.constantFrom("east", "west"),
    namespace: fc.constantFrom("a", "b", "c"),
    uid: fc.integer({ min: 1, max: 40 }).map((number) => `uid-${number}`),
    createdAt: fc.integer({ min: 0, max: 5 }).map(second),
    final: fc.boolean(),
  }),
  { selector: ({ cluster, uid }) => `${cluster}/${uid}`, maxLength: 60 },
);

describe("a list of Jobs", () => {
  it("has every Job once, newest first, for any page size", async () => {
    await fc.assert(
      fc.asyncProperty(jobs, fc.integer({ min: 1, max: 7 }), async (drawn, limit) => {
        const ports = await storesWith(
          drawn.map(({ final, ...job }) =>
            listedJob({ ...job, verdict: { state: final ? "Complete" : "Running", final, basis: "both" } }),
          ),
        );
        const listed = await all(ports, {}, limit);
        expect(uids(listed).toSorted()).toEqual(drawn.map(({ cluster, uid }) => `${cluster}/${uid}`).toSorted());
        expect(listed.map(({ createdAt }) => createdAt)).toEqual(
          listed
            .map(({ createdAt }) => createdAt)
            .toSorted()
            .toReversed(),
        );
        expect(uids(await all(ports, {}, limit, "everything", "oldest"))).toEqual(uids(listed).toReversed());
      }),
      { numRuns: 60 },
    );
  });

  const ports = storesWith([
    listedJob({ uid: "u1", name: "report", createdAt: second(1), labels: { team: "data" } }),
    listedJob({
      uid: "u2",
      name: "report",
      createdAt: second(2),
      finishedAt: second(50),
      owner: { kind: "CronJob", name: "nightly", uid: "c1" },
    }),
    listedJob({
      uid: "u3",
      name: "import",
      createdAt: second(3),
      verdict: { state: "Failed", final: true, basis: "reported" },
    }),
    listedJob({
      uid: "u4",
      name: "stuck",
      createdAt: second(4),
      verdict: { state: "Running", final: false, basis: "both" },
      status: { succeeded: 7 },
      findings: [{ kind: "PhantomRunning", message: "", evidence: [] }],
    }),
    listedJob({ uid: "u5", name: "other", createdAt: second(5), namespace: "web" }),
    listedJob({ uid: "u6", name: "other", createdAt: second(6), cluster: "west" }),
  ]);

  it.each<[string, JobFilter, readonly string[]]>([
    ["everything", {}, ["u6", "u5", "u4", "u3", "u2", "u1"]],
    ["a cluster", { cluster: clusterOf("west") }, ["u6"]],
    ["a namespace", { namespace: "web" }, ["u5"]],
    ["a name in all namespaces", { name: "report" }, ["u2", "u1"]],
    ["a name that was used again", { cluster: clusterOf("east"), namespace: "batch", name: "report" }, ["u2", "u1"]],
    ["several states", { states: ["Failed", "Running"] }, ["u4", "u3"]],
    ["labels", { labels: [{ key: "team", operator: "in", values: ["data"] }] }, ["u1"]],
    ["fields", { fields: [{ field: "status.successful", equal: true, value: "7" }] }, ["u4"]],
    ["an owner by name", { owner: "nightly" }, ["u2"]],
    ["an owner by kind and name", { owner: "cronjob/nightly" }, ["u2"]],
    ["an owner by uid", { owner: "c1" }, ["u2"]],
    ["created after, not at", { createdAfter: Date.parse(second(4)) }, ["u6", "u5"]],
    ["created before, not at", { createdBefore: Date.parse(second(3)) }, ["u2", "u1"]],
    ["finished after", { finishedAfter: Date.parse(second(20)) }, ["u2"]],
    [
      "finished before, and not those that never finished",
      { finishedBefore: Date.parse(second(20)), states: ["Failed"] },
      ["u3"],
    ],
    ["what needs a person", { attention: true }, ["u4"]],
    ["what needs a person in another namespace", { attention: true, namespace: "web" }, []],
  ])("filters by %s", async (_, filter, expected) => {
    expect((await all(await ports, filter, 2)).map(({ uid }) => uid)).toEqual(expected);
  });

  it.each<[string, JobFilter, readonly string[]]>([
    ["between two times", { createdAfter: Date.parse(second(2)), createdBefore: Date.parse(second(5)) }, ["u3", "u4"]],
    ["started after", { startedAfter: Date.parse(second(1)) }, []],
    ["deleted before", { deletedBefore: Date.parse(second(60)) }, []],
  ])("oldest first filters by %s", async (_, filter, expected) => {
    expect((await all(await ports, filter, 1, "everything", "oldest")).map(({ uid }) => uid)).toEqual(expected);
  });

  it("continues while a bound that counts back from the request moves along", async () => {
    const ports = await storesWith(
      [0, 1, 2, 3].map((age) => listedJob({ uid: `uid-${age}`, createdAt: second(10 - age) })),
    );
    const written = { createdAfter: { millisAgo: 10_000 } };
    const list = (filter: JobFilter, cursor?: string) =>
      listJobs(ports, "everything", { filter, written, limit: 2, ...(cursor !== undefined && { cursor }) });
    const first = await list({ createdAfter: Date.parse(second(6)) });
    const rest = await list({ createdAfter: Date.parse(second(7)) }, "nextCursor" in first ? first.nextCursor : "");
    expect([first, rest]).toMatchObject([
      { items: [{ uid: "uid-0" }, { uid: "uid-1" }] },
      { items: [{ uid: "uid-2" }] },
    ]);
  });

  it("refuses the cursor of the other order", async () => {
    const { nextCursor } = await page(await ports, {}, 1);
    const list = await listJobs(await ports, "everything", {
      filter: {},
      limit: 1,
      cursor: nextCursor,
      order: "oldest",
    });
    expect(list.outcome).toBe("badCursor");
  });

  it("shows a reader only what was granted, on every page, whatever the cursor says", async () => {
    const scope: Scope = { grants: [{ cluster: "east", namespaces: ["web"] }] };
    expect(uids(await all(await ports, {}, 1, scope))).toEqual(["east/u5"]);
    const { nextCursor } = await page(await ports, {}, 1);
    expect(uids((await page(await ports, {}, 5, nextCursor, scope)).items)).toEqual(["east/u5"]);
    expect(uids(await all(await ports, { attention: true }, 5, scope))).toEqual([]);
  });

  it("answers a short page with its cursor when nothing fits among the rows it may read", async () => {
    const many = await storesWith(
      Array.from({ length: MAX_ROWS_READ + 5 }, (_, index) =>
        listedJob({ uid: `u${index}`, createdAt: second(index), labels: index === 0 ? { oldest: "" } : {} }),
      ),
    );
    const filter: JobFilter = { labels: [{ key: "oldest", operator: "exists" }] };
    const first = await page(many, filter, 10);
    expect(first.items).toEqual([]);
    expect(uids((await page(many, filter, 10, first.nextCursor)).items)).toEqual(["east/u0"]);
  });

  it.each([
    ["of another filter", async () => (await page(await ports, { namespace: "batch" }, 1)).nextCursor ?? ""],
    ["that is nonsense", async () => "nonsense"],
    ["that is not base64url", async () => "*"],
    ["that is far too long", async () => "A".repeat(5_000)],
    ["whose position is forged to something else", async () => Buffer.from('[1,"x",{}]').toString("base64url")],
  ])("refuses a cursor %s, and says what to do", async (_, cursor) => {
    const list = await listJobs(await ports, "everything", { filter: {}, limit: 1, cursor: await cursor() });
    expect(list.outcome === "badCursor" && list.problem).toMatch(/begin again/);
  });

  it("continues with another limit", async () => {
    const { nextCursor } = await page(await ports, {}, 1);
    expect(uids((await page(await ports, {}, 2, nextCursor)).items)).toEqual(["east/u5", "east/u4"]);
  });
});
