import { describe, expect, it } from "vitest";
import { mergeLists, type Source } from "../../../src/http/mcp/merged-lists.ts";
import type { Place } from "../../../src/query/list/page.ts";

interface Dated {
  readonly at: string;
}

/** A list in pages of two, newest first, and how many pages were read. */
function listOf(times: readonly string[], matches: Source<Dated>["matches"] = () => true) {
  const reads: (string | undefined)[] = [];
  const source: Source<Dated> = {
    pageAfter: async (cursor) => {
      reads.push(cursor);
      const from = Number(cursor ?? "0");
      const items = times.slice(from, from + 2).map((at) => ({ at }));
      return { items, ...(from + 2 < times.length && { nextCursor: String(from + 2) }) };
    },
    matches,
    createdAt: ({ at }) => Number(at),
  };
  return { source, reads };
}

/** The times in parts of `most` items, as a reader with cursors gets them. */
async function inParts(sources: readonly Source<Dated>[], most: number): Promise<readonly string[]> {
  const times: string[] = [];
  let from: Place = [];
  for (let parts = 0; parts < 20; parts += 1) {
    const { merged, next } = await mergeLists(sources, { from, most });
    times.push(...merged.map(({ item }) => item.at));
    const place = merged.length === 0 ? next : (merged.at(-1)?.after ?? next);
    if (next === undefined || place === undefined) break;
    from = place;
  }
  return times;
}

const runs = ["9", "5", "4", "1"];
const jobs = ["8", "7", "6", "3", "2"];
const ALL = "987654321".split("");

describe("several lists", () => {
  it.each([1, 2, 3, 60])("are merged newest first, in parts of %i", async (most) => {
    expect(await inParts([listOf(runs).source, listOf(jobs).source], most)).toEqual(ALL);
  });

  it("go on after any item", async () => {
    const sources = [listOf(runs).source, listOf(jobs).source];
    const { merged } = await mergeLists(sources, { from: [] });
    for (const [index, { after }] of merged.entries()) {
      const rest = await mergeLists(sources, { from: after });
      expect(rest.merged.map(({ item }) => item.at)).toEqual(ALL.slice(index + 1));
    }
  });

  it("leave out what does not match", async () => {
    const { source } = listOf(jobs, ({ at }) => at > "6");
    expect(await inParts([source], 60)).toEqual(["8", "7"]);
  });

  it("stop after five pages of one list, and say where to go on", async () => {
    const { source, reads } = listOf(
      Array.from({ length: 14 }, () => "0"),
      () => false,
    );
    const { merged, next } = await mergeLists([source], { from: [] });
    expect([merged, next, reads.length]).toEqual([[], ["10", 0], 5]);
    expect(await mergeLists([source], { from: next ?? [] })).toEqual({ merged: [] });
  });
});
