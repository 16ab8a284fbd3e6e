import { describe, expect, it } from "vitest";
import { listOverCells } from "../../src/cells/list-over-cells.ts";
import { problem } from "../../src/http/contract/problem.ts";
import { answering, cellReader, refusing, SILENT } from "../support/http/cell-reader.ts";

const REGISTRY = { cells: [{ name: "eu" }, { name: "us", url: "https://us.test" }], clusters: {} };
interface Item {
  readonly cluster: string;
  readonly at: number;
}
const QUERY = {
  path: "/v1/gaps",
  parameters: new URLSearchParams("cluster=a"),
  limit: 2,
  cursor: undefined,
  compare: (a: Item, b: Item) => a.at - b.at,
  identity: ({ at }: Item) => `${at}`,
};
const item = (at: number): Item => ({ cluster: "a", at });

describe("a list over cells", () => {
  it("asks each cell for as many items, with a cursor for each", async () => {
    const reader = cellReader(REGISTRY, () => answering({ items: [] }));
    expect(await listOverCells(reader, QUERY)).toEqual({ body: { items: [] } });
    expect(reader.asked).toEqual(["eu", "us"].map((name) => `${name} /v1/gaps?cluster=a&limit=2&itemCursors=true`));
  });

  it("asks a cell that is read to its end no more", async () => {
    const reader = cellReader(REGISTRY, (cell) =>
      cell === "eu"
        ? answering({ items: [item(1)], cursors: ["e1"] })
        : answering({ items: [item(2), item(3)], cursors: ["u2", "u3"] }),
    );
    const first = await listOverCells(reader, QUERY);
    const cursor = "body" in first ? String(first.body["nextCursor"]) : "";
    await listOverCells(reader, { ...QUERY, cursor });
    expect(reader.asked.slice(2)).toEqual(["us /v1/gaps?cluster=a&limit=2&itemCursors=true&cursor=u2"]);
  });

  it("ends, although a cell that was left out may have more", async () => {
    const reader = cellReader(REGISTRY, (cell) =>
      cell === "us" ? SILENT : answering({ items: [item(1)], cursors: ["e1"] }),
    );
    const { body } = (await listOverCells(reader, QUERY)) as { body: Record<string, unknown> };
    expect(body).toEqual({ items: [item(1)], unavailable: [{ cell: "us", reason: "It is silent.", clusters: [] }] });
  });

  it("has no more of a cell in which the reader has no grants", async () => {
    const reader = cellReader(REGISTRY, (cell) =>
      cell === "us" ? refusing(problem("forbidden", "No.")) : answering({ items: [item(1)], cursors: ["e1"] }),
    );
    expect(await listOverCells(reader, QUERY)).toEqual({ body: { items: [item(1)] } });
  });
});
