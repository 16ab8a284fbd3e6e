import { describe, expect, it } from "vitest";
import { changesOverCells } from "../../src/cells/changes-over-cells.ts";
import { answering, cellReader } from "../support/http/cell-reader.ts";

const REGISTRY = { cells: [{ name: "eu" }, { name: "us", url: "https://us.test" }], clusters: {} };

function question(waitSeconds: number) {
  let now = 1_000_000;
  const pauses: number[] = [];
  return {
    pauses,
    query: {
      path: "/v1/changes",
      parameters: new URLSearchParams("state=Failed&waitSeconds=9"),
      limit: 100,
      waitSeconds,
      since: undefined,
      cursor: undefined,
      clock: () => now,
      pause: async (milliseconds: number) => {
        pauses.push(milliseconds);
        now += milliseconds;
        return true;
      },
    },
  };
}

describe("changes of two cells", () => {
  it("share the limit, and no cell waits by itself", async () => {
    const reader = cellReader(REGISTRY, (cell) => answering({ items: [cell], nextCursor: cell, more: false }));
    const { query } = question(0);
    const answered = await changesOverCells(reader, query);
    expect(answered).toMatchObject({ body: { items: ["eu", "us"], more: false } });
    expect(reader.asked[0]).toContain("state=Failed&waitSeconds=0&limit=50&since=");
  });

  it("are awaited with one request to each cell in two seconds", async () => {
    let polls = 0;
    const reader = cellReader(REGISTRY, (cell) => {
      polls += 1;
      return answering({ items: polls > 6 ? [cell] : [], nextCursor: "c", more: false });
    });
    const { query, pauses } = question(25);
    expect(await changesOverCells(reader, query)).toMatchObject({ body: { items: ["eu", "us"] } });
    expect(pauses).toEqual([2_000, 2_000, 2_000]);
    expect(reader.asked.at(-1)).toContain("cursor=c");
  });

  it("are empty after the wait", async () => {
    const reader = cellReader(REGISTRY, () => answering({ items: [], nextCursor: "c", more: false }));
    const { query, pauses } = question(5);
    expect(await changesOverCells(reader, query)).toMatchObject({ body: { items: [], more: false } });
    expect(pauses).toEqual([2_000, 2_000, 1_000]);
  });
});
