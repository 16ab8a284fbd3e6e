import { describe, expect, it } from "vitest";
import type { MetaStore } from "../../../src/ports/meta.ts";
import { CHANGES_BEGIN_KEY } from "../../../src/ports/meta-key.ts";
import { unpackChanges } from "../../../src/projection/changes/change-bytes.ts";
import { ChangeFeed } from "../../../src/projection/changes/change-feed.ts";
import { changeNamed } from "../../support/story/announced.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

async function records(meta: MetaStore) {
  const pages = await Promise.all([0, 1].map((shard) => meta.list("changes", { prefix: `${shard}#`, limit: 100 })));
  return pages.flatMap((page) => page.records);
}

function names(value: string): readonly string[] {
  const { packed } = JSON.parse(value) as { readonly packed: string };
  return (unpackChanges(packed) ?? []).map(({ job }) => job.name);
}

describe("announced changes", () => {
  it("are one record under the instant of their announcement", async () => {
    const meta = new MemoryMetaStore();
    await new ChangeFeed(meta, () => NOON).append([changeNamed("a"), changeNamed("b")]);
    const [record, ...more] = await records(meta);
    expect(more).toEqual([]);
    expect(record?.key).toMatch(/^[01]#2026-11-21T12:00:00\.000Z#[0-9a-f]{16}$/);
    expect(names(record?.value ?? "")).toEqual(["a", "b"]);
  });

  it("are several records where they are many", async () => {
    const meta = new MemoryMetaStore();
    const changes = Array.from({ length: 250 }, (_, number) => changeNamed(`job-${number}`));
    await new ChangeFeed(meta, () => NOON).append(changes);
    const stored = await records(meta);
    expect(stored.flatMap(({ value }) => names(value)).toSorted()).toEqual(
      changes.map(({ job }) => job.name).toSorted(),
    );
    expect(stored).toHaveLength(3);
  });

  it("record when the first of them was announced", async () => {
    const meta = new MemoryMetaStore();
    for (const at of [NOON, NOON + 1]) await new ChangeFeed(meta, () => at).append([changeNamed("a")]);
    expect((await meta.read("position", CHANGES_BEGIN_KEY))?.value).toBe(`{"since":${NOON}}`);
  });

  it("are announced again if their record was written so late that followers may have passed it", async () => {
    const meta = new MemoryMetaStore();
    let now = NOON;
    const write = meta.write.bind(meta);
    meta.write = async (kind, key, record) => {
      if (kind === "changes" && now === NOON) now += 9_000;
      return write(kind, key, record);
    };
    await new ChangeFeed(meta, () => now).append([changeNamed("a")]);
    expect((await records(meta)).map(({ key }) => key.slice(2, 26))).toEqual([
      "2026-11-21T12:00:00.000Z",
      "2026-11-21T12:00:09.000Z",
    ]);
  });
});
