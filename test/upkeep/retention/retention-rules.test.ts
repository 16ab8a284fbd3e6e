import { describe, expect, it } from "vitest";
import { holdKey, retentionKey } from "../../../src/ports/meta-key.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { holdRecord, legalHolds } from "../../../src/upkeep/holds/legal-holds.ts";
import { retentionRecord } from "../../../src/ports/expiry/retention-record.ts";
import { readRetentionRules } from "../../../src/upkeep/retention/retention-rules.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const east = clusterNamed("east");
const setAt = "2026-11-21T08:00:00Z";

async function rules(standard: number | undefined, own: readonly (readonly [string, number | undefined])[]) {
  const meta = new MemoryMetaStore();
  for (const [namespace, days] of own) {
    const value = { setAt, ...(days !== undefined && { days }) };
    await writeRecord(meta, retentionRecord, { key: retentionKey(east, namespace), value, expected: 0 });
  }
  return readRetentionRules({ meta, holds: [legalHolds] }, standard);
}

describe("the retention of a namespace", () => {
  it.each([
    ["is its own", 30, [["shop", 400]], 400],
    ["is that of its cluster", 30, [["", 90]], 90],
    [
      "is that of its cluster when its own was removed",
      30,
      [
        ["", 90],
        ["shop", undefined],
      ],
      90,
    ],
    ["is the setting", 30, [["bank", 400]], 30],
    ["is unlimited without a rule and a setting", undefined, [["bank", 400]], undefined],
  ] as const)("%s", async (_, standard, own, expected) => {
    expect((await rules(standard, own)).daysOf("east", "shop")).toBe(expected);
  });
});

describe("the longest retention of a cluster", () => {
  it.each([
    [
      "is that of a namespace, if it is longer",
      30,
      [
        ["shop", 400],
        ["bank", 5],
      ],
      400,
    ],
    ["is that of all others, if it is longer", 30, [["bank", 5]], 30],
    ["is unlimited, if that of the others is", undefined, [["bank", 5]], undefined],
  ] as const)("%s", async (_, standard, own, expected) => {
    expect((await rules(standard, own)).longestOf("east")).toBe(expected);
  });
});

async function holdOn(held: Parameters<typeof holdKey>[0], releasedAt?: string) {
  const meta = new MemoryMetaStore();
  const value = { reason: "case", heldAt: setAt, ...(releasedAt !== undefined && { releasedAt }) };
  await writeRecord(meta, holdRecord, { key: holdKey(held), value, expected: 0 });
  const found = await readRetentionRules({ meta, holds: [legalHolds] }, 30);
  return found.holdOn({ cluster: "east", namespace: "shop", name: "report" });
}

describe("a hold", () => {
  it.each([
    ["its cluster", { cluster: "east" }],
    ["its namespace", { cluster: "east", namespace: "shop" }],
    ["its name", { cluster: "east", namespace: "shop", name: "report" }],
  ])("covers a Job by %s", async (_, held) => {
    expect(await holdOn(held)).toMatchObject({ held, reason: "case" });
    expect(await holdOn(held, setAt)).toBeUndefined();
  });

  it.each([
    ["another cluster", { cluster: "west" }],
    ["another namespace", { cluster: "east", namespace: "bank" }],
    ["another name", { cluster: "east", namespace: "shop", name: "other" }],
  ])("of %s does not cover it", async (_, held) => {
    expect(await holdOn(held)).toBeUndefined();
  });
});
