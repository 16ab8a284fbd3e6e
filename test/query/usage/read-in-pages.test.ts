import { describe, expect, it } from "vitest";
import { readInPages } from "../../../src/query/usage/read-in-pages.ts";
import { listedJob, second, storesWith } from "../../support/story/listed-job.ts";

const JOBS = Array.from({ length: 1_203 }, (_, n) =>
  listedJob({ uid: `u${n}`, name: `job-${n}`, createdAt: second(n) }),
);

describe("the rows that a report reads", async () => {
  const stores = await storesWith(JOBS);

  async function read(most: number) {
    const pages: number[] = [];
    const how = await readInPages(stores, "everything", {
      filter: {},
      most,
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
});
