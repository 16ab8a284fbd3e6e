import { describe, expect, it } from "vitest";
import { readInPages } from "../../../src/query/list/read-in-pages.ts";
import { listedJob, second, storesWith } from "../../support/story/listed-job.ts";

const JOBS = Array.from({ length: 1_203 }, (_, n) =>
  listedJob({ uid: `u${n}`, name: `job-${n}`, createdAt: second(n) }),
);

describe("the rows that a report reads", async () => {
  const stores = await storesWith(JOBS);

  async function read(bound: number) {
    const pages: number[] = [];
    const how = await readInPages(stores, "everything", {
      filter: {},
      bound,
      add: async (rows) => void pages.push(rows.length),
    });
    return { pages, how };
  }

  it("arrive in pages, each once", async () => {
    expect(await read(2_000)).toEqual({ pages: [500, 500, 203], how: { complete: true } });
    expect((await read(1_203)).how).toEqual({ complete: true });
  });

  it("end at the limit, with the creation of the oldest one", async () => {
    expect(await read(700)).toEqual({ pages: [500, 200], how: { complete: false, partial: { since: second(503) } } });
  });

  it("have all Jobs of one instant, even beyond the limit", async () => {
    const atOnce = await storesWith(JOBS.slice(0, 30).map((job, n) => ({ ...job, createdAt: second(n < 20 ? 0 : 1) })));
    const pages: number[] = [];
    const add = async (rows: readonly unknown[]) => void pages.push(rows.length);
    const how = await readInPages(atOnce, "everything", { filter: {}, bound: 5, add });
    expect([pages, how]).toEqual([[10], { complete: false, partial: { since: second(1) } }]);
  });
});
