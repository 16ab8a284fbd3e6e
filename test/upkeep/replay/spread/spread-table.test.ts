import { describe, expect, it } from "vitest";
import { decodeGroup, entriesOf, readBucket } from "../../../../src/upkeep/replay/spread/spread-objects.ts";
import { decodeEntry, spreadTable } from "../../../../src/upkeep/replay/spread/spread-table.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";
import { collect } from "../../../support/running/collect.ts";
import { MemoryObjects } from "../../../support/stores/memory-objects.ts";
import { MemoryProjections } from "../../../support/stores/memory-projections.ts";

const key = (number: number) => ({ cluster: clusterNamed("east"), jobUid: jobUid(`${number}`) });

async function filled(count: number) {
  const projections = new MemoryProjections();
  for (let number = 0; number < count; number += 1) {
    await projections.idle("B").write(key(number), { bytes: Uint8Array.of(number) }, 0);
  }
  return { idle: projections.idle("B"), place: { objects: new MemoryObjects(), run: 1 } };
}

describe("a part of the idle projection that is spread", () => {
  it("has the version and the digest of each state", async () => {
    const ports = await filled(10);
    const [batch] = await collect(spreadTable(ports, { index: 0, of: 1 }));
    const { spread: [group = ""] = [] } = (await batch?.apply(1)) ?? expect.fail();
    const objects = await readBucket(ports.place, [decodeGroup(group)], { bucket: 0, bits: 0 });
    const entries = objects.flatMap((bytes) => [...entriesOf(bytes)]);
    expect(entries).toHaveLength(10);
    for (const [job, entry] of entries) expect(await ports.idle.find(job)).toMatchObject(decodeEntry(entry));
  });

  it("ends a batch when the time is up, and continues after it", async () => {
    const ports = await filled(10);
    const batches = await collect(spreadTable({ ...ports, hasTime: () => false }, { index: 0, of: 1 }));
    expect(batches).toHaveLength(4);
    expect(await collect(spreadTable(ports, { index: 0, of: 1 }, batches.at(-1)?.place))).toEqual([]);
  });

  it("is nothing where nothing is stored", async () => {
    expect(await collect(spreadTable(await filled(0), { index: 0, of: 1 }))).toEqual([]);
  });
});
