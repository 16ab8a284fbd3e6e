import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { applyUsage, listUsage, renameInUsage } from "../../../src/count/usage/usage-sums.ts";
import { UsageTable } from "../../../src/count/usage/usage-table.ts";
import { SumsConflictError, SumsUnreadableError } from "../../../src/count/metrics/sums/sums-errors.ts";
import { presentUsage } from "../../../src/explain/usage/present-usage.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { usageOf } from "../../support/facts/usage-of.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const cluster = clusterNamed("east");
/** A name that does not compress. */
const nameOf = (n: number) => createHash("sha512").update(String(n)).digest("hex");
const RANGE = { from: "20260101", to: "20260103" };

function difference(day: string, namespace: string, seconds: number) {
  const table = new UsageTable();
  table.add(namespace, usageOf(1, { kept: seconds }));
  return { cluster, day, table };
}

const erasedName = (namespace: string) => (namespace === "secret" ? "erased:1" : undefined);

function counted() {
  return { meta: new MemoryMetaStore(), projection: "A" as const };
}

async function keptBy(stores: ReturnType<typeof counted>) {
  const kept: Record<string, number> = {};
  for await (const { day, table } of listUsage({ ...stores, cluster }, RANGE)) {
    for (const [namespace, usage] of table.usages()) kept[`${day} ${namespace}`] = presentUsage(usage).podSeconds.kept;
  }
  return kept;
}

describe("the usage of an erased namespace", () => {
  it("has another name, without that of Jobs that are not erased", async () => {
    const stores = counted();
    await applyUsage(stores, 1, [difference("20260101", "secret", 10), difference("20260102", "secret", 4)]);
    await applyUsage(stores, 2, [difference("20260102", "others", 1)]);
    const kept = new Map([["20260102", difference("20260102", "secret", 3).table]]);
    for (let time = 0; time < 2; time += 1) await renameInUsage({ ...stores, cluster }, { nameOf: erasedName, kept });
    expect(await keptBy(stores)).toEqual({
      "20260101 erased:1": 10,
      "20260102 erased:1": 1,
      "20260102 others": 1,
      "20260102 secret": 3,
    });
    await applyUsage(stores, 1, [difference("20260101", "a", 5)]);
    expect(Object.keys(await keptBy(stores))).not.toContain("20260101 a");
  });

  it("is not renamed over what was counted meanwhile, and not written without the name", async () => {
    const stores = counted();
    await applyUsage(stores, 1, [difference("20260101", "others", 1)]);
    stores.meta.write = async () => ({ outcome: "conflict" });
    await renameInUsage({ ...stores, cluster }, { nameOf: erasedName, kept: new Map() });
    const erased = renameInUsage({ ...stores, cluster }, { nameOf: () => "erased:1", kept: new Map() });
    await expect(erased).rejects.toThrow(SumsConflictError);
  });
});

describe("the usage of a day", () => {
  it("has each round once, though it is applied again", async () => {
    const stores = counted();
    const first = [difference("20260101", "a", 10), difference("20260102", "a", 1), difference("20260103", "a", 9)];
    await applyUsage(stores, 1, first);
    await applyUsage(stores, 1, first);
    await applyUsage(stores, 2, [difference("20260101", "b", 5), difference("20260102", "a", 2)]);
    expect(await keptBy(stores)).toEqual({ "20260101 a": 10, "20260101 b": 5, "20260102 a": 3 });
  });

  it("has all namespaces as one once they are too many, and stays so", async () => {
    const stores = counted();
    const table = new UsageTable();
    for (let n = 0; n < 3_500; n += 1) table.add(nameOf(n), usageOf(1, { kept: 1 }));
    await applyUsage(stores, 1, [{ cluster, day: "20260101", table }]);
    const before = Object.keys(await keptBy(stores));
    expect(before.length === 1 ? before : before.length).toEqual(["20260101 *"]);
    await applyUsage(stores, 2, [difference("20260101", "a", 5)]);
    expect(Object.keys(await keptBy(stores))).toEqual(["20260101 *"]);
  });

  it("is refused if it is damaged", async () => {
    const stores = counted();
    const value = JSON.stringify({ round: 1, usage: "1!" });
    await stores.meta.write("counts", "east#A#day#usage#20260101", { value, expected: 0 });
    await expect(keptBy(stores)).rejects.toThrow(SumsUnreadableError);
    await expect(applyUsage(stores, 2, [difference("20260101", "a", 5)])).rejects.toThrow(SumsUnreadableError);
  });
});
