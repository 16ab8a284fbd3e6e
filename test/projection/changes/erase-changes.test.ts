import { beforeEach, describe, expect, it } from "vitest";
import { changesKey } from "../../../src/ports/meta-key.ts";
import { changesRecord } from "../../../src/ports/records/changes-record.ts";
import { listDecoded, writeRecord } from "../../../src/ports/records/record-codec.ts";
import { packChanges, unpackChanges } from "../../../src/projection/changes/change-bytes.ts";
import { eraseChanges } from "../../../src/projection/changes/erase-changes.ts";
import { collect } from "../../support/running/collect.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { changeNamed } from "../../support/story/announced.ts";

let meta: MemoryMetaStore;
let removed: string[];
beforeEach(() => {
  meta = new MemoryMetaStore();
  removed = [];
});

async function announce(shard: number, sk: string, packed: string): Promise<void> {
  await writeRecord(meta, changesRecord, { key: changesKey(shard, sk), value: { packed }, expected: 0 });
}

const erase = () =>
  eraseChanges({
    meta,
    remove: async (key) => void removed.push(key),
    isErased: ({ name }) => name.startsWith("secret"),
  });

describe("announced changes of erased Jobs", () => {
  it("are removed from records that others share, in every shard", async () => {
    await announce(0, "1#a", packChanges([changeNamed("secret-a"), changeNamed("b")]));
    await announce(1, "2#c", packChanges([changeNamed("c"), changeNamed("secret-d")]));
    expect(await erase()).toBe(2);
    const records = [
      ...(await collect(listDecoded(meta, changesRecord, "0#"))),
      ...(await collect(listDecoded(meta, changesRecord, "1#"))),
    ];
    const names = records.flatMap(({ value }) => unpackChanges(value.packed)?.map(({ job }) => job.name));
    expect(names).toEqual(["b", "c"]);
    expect(removed).toEqual([]);
  });

  it("are removed with their record where it has no other", async () => {
    await announce(0, "1#a", packChanges([changeNamed("secret-a")]));
    expect(await erase()).toBe(1);
    expect(removed).toEqual(["0#1#a"]);
  });

  it("may be in a record that cannot be read", async () => {
    await announce(0, "1#a", "AQECAwQ=");
    expect(await erase()).toBe(1);
    expect(removed).toEqual(["0#1#a"]);
  });

  it("leave other records as they are", async () => {
    await announce(0, "1#a", packChanges([changeNamed("a")]));
    expect(await erase()).toBe(0);
    expect((await meta.read("changes", "0#1#a"))?.version).toBe(1);
  });
});
