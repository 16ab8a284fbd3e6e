import { describe, expect, it } from "vitest";
import { checkFreshness, checkSetAside, checkSenders } from "../../../cli/doctor/check-records.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

async function metaWith(records: readonly (readonly ["cluster" | "principal" | "setAside", string, unknown])[]) {
  const meta = new MemoryMetaStore();
  for (const [kind, key, value] of records) await meta.write(kind, key, { value: JSON.stringify(value), expected: 0 });
  return meta;
}

describe("clusters", () => {
  it.each<readonly [string, number | undefined, string]>([
    ["heard of a minute ago are well", NOON - 60_000, "ok"],
    ["heard of an hour ago are silent", NOON - 3_600_000, "warning"],
    ["registered and not yet heard of are well", undefined, "ok"],
  ])("%s", async (_, at, result) => {
    const meta = await metaWith([
      [
        "cluster",
        "east",
        at === undefined ? {} : { observed: { kind: "ClusterObserved", epoch: 0, resourceVersion: 1, at } },
      ],
    ]);
    expect(await checkFreshness(meta, NOON)).toMatchObject({ result });
  });

  it("that are none are worth a word", async () => {
    expect(await checkFreshness(new MemoryMetaStore(), NOON)).toMatchObject({ result: "warning" });
  });

  it("that nobody may speak for are named, with the command that mends it", async () => {
    const meta = await metaWith([
      ["cluster", "east", {}],
      ["cluster", "west", {}],
      ["principal", "AROAEAST000000000001", { cluster: "east" }],
    ]);
    const check = await checkSenders(meta);
    expect(check.result).toBe("warning");
    expect(check.detail).toContain("outlive clusters register west --principal-arn");
  });
});

describe("what was set aside", () => {
  it("is counted, with the newest reason, until it is settled", async () => {
    const meta = await metaWith([
      ["setAside", "1", { reason: "First.", setAsideAt: 1, bytes: 1 }],
      ["setAside", "2", { reason: "Last.", setAsideAt: 3, bytes: 1 }],
      ["setAside", "3", { reason: "Settled.", setAsideAt: 4, bytes: 1, settledAt: 5 }],
    ]);
    const check = await checkSetAside(meta);
    expect(check.result).toBe("warning");
    expect(check.detail).toContain("2 messages were set aside, the last because: Last.");
  });

  it("is nothing in a new deployment", async () => {
    expect(await checkSetAside(new MemoryMetaStore())).toMatchObject({ result: "ok" });
  });
});
