import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MetaKind } from "../../../src/ports/meta.ts";
import { listRecords } from "../../../src/ports/list-records.ts";
import { rebuildProjection } from "../../../src/upkeep/replay/rebuild-projection.ts";
import { compareRecords, foldRecords, recordVersions } from "../../../src/upkeep/replay/compare-records.ts";
import { rebuildRecords } from "../../../src/upkeep/replay/rebuild-records.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { PATIENT, send, type TwoProjections, twoProjections } from "../../support/stores/two-projections.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const story = fc.array(arbitraryFact, { minLength: 5, maxLength: 60 });
const KINDS = ["node", "cronjob", "namespaceMarks", "hints", "gap", "cluster", "namespace"] as const;

async function told(facts: Parameters<typeof sealInSegments>[0]): Promise<TwoProjections> {
  const all = twoProjections();
  await send(all, sealInSegments(facts, 4, NOON));
  return all;
}

async function stored(all: TwoProjections): Promise<readonly { readonly kind: MetaKind; readonly key: string }[]> {
  const found: { readonly kind: MetaKind; readonly key: string }[] = [];
  for (const kind of KINDS) {
    for await (const { key } of listRecords(all.meta, kind, { prefix: "" })) found.push({ kind, key });
  }
  return found;
}

async function mismatchesOf(all: TwoProjections) {
  const before = await recordVersions(all);
  return (await compareRecords(all, await foldRecords(all), before)).mismatches;
}

async function overwrite(all: TwoProjections, { kind, key }: { kind: MetaKind; key: string }, value: string) {
  const known = await all.meta.read(kind, key);
  await all.meta.write(kind, key, { value, expected: known?.version ?? 0 });
}

const portsOf = (all: TwoProjections) => ({
  ...all,
  removeRecord: async (kind: MetaKind, key: string) => all.meta.remove(kind, key),
});

describe("records beside the Jobs", () => {
  it("are noticed when they are changed, cut or lost, and a rebuild repairs them", async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.nat(), fc.constantFrom("changed", "cut", "lost"), async (facts, index, damage) => {
        const all = await told(facts);
        const intact = all.meta.contents();
        const records = (await stored(all)).filter(({ kind }) => kind !== "namespace");
        const record = records[index % records.length];
        if (record === undefined) return;
        const before = (await all.meta.read(record.kind, record.key))?.value ?? "";
        if (damage === "lost") all.meta.remove(record.kind, record.key);
        else await overwrite(all, record, damage === "cut" ? before.slice(0, -1) : before.replace("{", '{"at":1,'));
        expect(await mismatchesOf(all)).toMatchObject([{ kind: record.kind, key: record.key }]);
        expect(await rebuildRecords(portsOf(all))).toBe(1);
        expect(all.meta.contents()).toEqual(intact);
      }),
    );
  });

  it("are removed by a rebuild if no fact states them", async () => {
    const all = await told(fc.sample(arbitraryFact, { numRuns: 30, seed: 3 }));
    const intact = all.meta.contents();
    for (const kind of ["node", "cronjob", "namespaceMarks", "hints", "gap", "namespace"] as const) {
      await all.meta.write(kind, "east#unheard-of", { value: "{}", expected: 0 });
    }
    expect(new Set((await mismatchesOf(all)).map(({ problem }) => problem))).toEqual(new Set(["additional"]));
    expect(await rebuildRecords(portsOf(all))).toBe(6);
    expect(all.meta.contents()).toEqual(intact);
  });

  it("are repaired by a replay, even if they cannot be read", async () => {
    const facts = fc.sample(arbitraryFact, { numRuns: 40, seed: 9 });
    const all = await told(facts);
    const intact = await stored(all);
    for (const record of intact) await overwrite(all, record, "{");
    expect(await rebuildProjection(portsOf(all), PATIENT)).toMatchObject({ outcome: "switched" });
    expect(await mismatchesOf(all)).toEqual([]);
    expect(await stored(all)).toEqual(intact);
  });
});
