import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countItems,
  type Edit,
  emptyTree,
  PagedSet,
  type PageLayout,
  type PageStore,
  type PageTree,
} from "../../../src/projection/pages/page-tree.ts";
import { compareSortKeys, type SortKey } from "../../../src/projection/pages/sort-key.ts";
import { collect } from "../../support/running/collect.ts";

interface Note {
  readonly sortKey: SortKey;
  readonly text: string;
}

const layout: PageLayout<Note> = {
  encode: (notes) => Buffer.from(JSON.stringify(notes)),
  decode: (bytes) => JSON.parse(Buffer.from(bytes).toString()) as Note[],
  leafItems: 4,
  marked: true,
};

class CountedPages implements PageStore {
  readonly pages = new Map<string, Uint8Array>();
  bytesWritten = 0;
  async read(hash: string): Promise<Uint8Array | undefined> {
    return this.pages.get(hash);
  }
  async write(hash: string, bytes: Uint8Array): Promise<void> {
    this.pages.set(hash, bytes);
    this.bytesWritten += bytes.length;
  }
}

const note = (at: number, id: number, text = ""): Note => ({ sortKey: { at, id: `note-${id}` }, text });

async function build(pages: PageStore, batches: readonly (readonly Edit<Note>[])[]): Promise<PageTree> {
  let tree = emptyTree(layout);
  for (const batch of batches) tree = await new PagedSet(layout, pages).edit(tree, batch);
  return tree;
}

/** Edits one after the other, each moving or placing one note: a later edit of an id takes it from where it was. */
const moves = fc.array(fc.record({ id: fc.nat(400), at: fc.nat(50), text: fc.string({ maxLength: 3 }) }), {
  maxLength: 600,
});

async function played(pages: PageStore, steps: readonly { id: number; at: number; text: string }[], batchSize: number) {
  const notes = new Map<number, Note>();
  let tree = emptyTree(layout);
  for (let begin = 0; begin < steps.length; begin += batchSize) {
    const before = new Map(notes);
    for (const { id, at, text } of steps.slice(begin, begin + batchSize)) notes.set(id, note(at, id, text));
    const edits = [...notes].flatMap(([id, now]): readonly Edit<Note>[] => {
      const was = before.get(id);
      if (was === now) return [];
      const moved = was !== undefined && compareSortKeys(was.sortKey, now.sortKey) !== 0;
      return moved ? [{ sortKey: was.sortKey, remove: true }, now] : [now];
    });
    tree = await new PagedSet(layout, pages).edit(tree, edits);
  }
  return { tree, held: [...notes.values()].sort((a, b) => compareSortKeys(a.sortKey, b.sortKey)) };
}

describe("a tree of pages", () => {
  it("is the same tree for the same items, whatever was put, moved and replaced on the way", async () => {
    await fc.assert(
      fc.asyncProperty(moves, fc.integer({ min: 1, max: 100 }), async (steps, batchSize) => {
        const pages = new CountedPages();
        const { tree, held } = await played(pages, steps, batchSize);
        const once = await build(new CountedPages(), [held]);
        expect(tree).toEqual(once);
        expect(await collect(new PagedSet(layout, pages).items(tree))).toEqual(held);
        expect(countItems(tree)).toBe(held.length);
      }),
      { numRuns: 60 },
    );
  });

  it("finds items by id alone and passes over ids that it does not hold", async () => {
    const pages = new CountedPages();
    const notes = Array.from({ length: 2_000 }, (_, id) => note(id % 97, id));
    const tree = await build(pages, [notes]);
    const found = await new PagedSet(layout, pages).find(tree, new Set(["note-3", "note-1999", "note-2000"]));
    expect([...found.keys()].sort()).toEqual(["note-1999", "note-3"]);
  });

  it("continues after any sort key", async () => {
    const pages = new CountedPages();
    const notes = Array.from({ length: 500 }, (_, id) => note(id, id));
    const tree = await build(pages, [notes]);
    for (const from of [0, 1, 250, 498, 499]) {
      const rest = await collect(new PagedSet(layout, pages).items(tree, note(from, from).sortKey));
      expect(rest).toEqual(notes.slice(from + 1));
    }
  });

  it("writes few pages for an item added to many", async () => {
    const pages = new CountedPages();
    const tree = await build(pages, [Array.from({ length: 20_000 }, (_, id) => note(id, id))]);
    const before = pages.pages.size;
    await new PagedSet(layout, pages).edit(tree, [note(10_000.5, 20_001)]);
    expect(pages.pages.size - before).toBeLessThan(8);
  });

  it("names the missing page and the way out", async () => {
    const tree = await build(new CountedPages(), [[note(1, 1)]]);
    const read = collect(new PagedSet(layout, new CountedPages()).items(tree));
    await expect(read).rejects.toThrow("outlive replay");
  });
});
