import { describe, expect, it } from "vitest";
import type { Chunk } from "../../../src/kubernetes/connection/api-reader.ts";
import { CutListError, type ListPart, readListPage } from "../../../src/kubernetes/watch/list-page.ts";

async function* chunksOf(text: string, size: number): AsyncGenerator<Chunk> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) {
    yield { bytes: bytes.subarray(start, start + size), waitedMillis: 0 };
  }
}

async function read(text: string, size = 10): Promise<readonly ListPart[]> {
  const parts: ListPart[] = [];
  for await (const part of readListPage(chunksOf(text, size))) parts.push(part);
  return parts;
}

function itemsOf(parts: readonly ListPart[]): readonly unknown[] {
  return parts.flatMap((part) => ("items" in part ? part.items : []));
}

const LIST = JSON.stringify({
  kind: "PodList",
  apiVersion: "v1",
  metadata: { resourceVersion: "7", continue: "token" },
  items: [{ metadata: { name: "a" } }, { metadata: { name: "b" } }],
});

describe("a page of a list", () => {
  it.each([1, 10, 1000])("yields its items and then its metadata, from chunks of %d bytes", async (size) => {
    const parts = await read(LIST, size);
    expect(itemsOf(parts)).toMatchObject([
      { kind: "Pod", metadata: { name: "a" } },
      { kind: "Pod", metadata: { name: "b" } },
    ]);
    expect(parts.at(-1)).toEqual({ resourceVersion: 7, token: "token" });
  });

  it.each([
    ["no items", '{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[]}'],
    ["items that are null", '{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":null}'],
  ])("may have %s", async (_, text) => {
    const parts = await read(text);
    expect(itemsOf(parts)).toEqual([]);
    expect(parts.at(-1)).toEqual({ resourceVersion: 7, token: undefined });
  });

  it.each([1, 10, 1000])(
    "names an item that is not readable, and has no empty parts, from chunks of %d bytes",
    async (size) => {
      const parts = await read(
        '{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[{"metadata":nonsense}]}',
        size,
      );
      const items = parts.filter((part) => "items" in part);
      expect(items).toHaveLength(1);
      expect(items[0]?.problems).toHaveLength(1);
      expect(parts.at(-1)).toMatchObject({ resourceVersion: 7 });
    },
  );

  it.each([
    ["is truncated", LIST.slice(0, -5)],
    ["is empty", ""],
    ["has no resourceVersion", '{"kind":"PodList","metadata":{},"items":[]}'],
  ])("is refused if it %s", async (_, text) => {
    await expect(read(text)).rejects.toThrow(CutListError);
  });
});
