import { describe, expect, it } from "vitest";
import type { LogItem } from "../../../src/ports/log.ts";
import { loggedBatches } from "../../../src/upkeep/restore/logged-batches.ts";
import { restoreSegments } from "../../../src/upkeep/restore/restore-segments.ts";
import { EIGHT, endedJob, HOUR } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";
import { RestoredScene, segmentsIn } from "../../support/archive/restored-scene.ts";
import { collect } from "../../support/running/collect.ts";

async function* pagesOf(scene: PackedScene): AsyncGenerator<readonly LogItem[]> {
  for (const { items } of scene.ports.log.allPacks) yield items;
}

async function scene(): Promise<PackedScene> {
  const filled = new PackedScene();
  for (const [index, name] of ["a", "b", "c"].entries()) {
    const at = EIGHT + index * HOUR;
    await filled.arrive(
      [name, `${name}-2`].map((each) => filled.seal(endedJob({ name: each, createdAt: at }), at)),
      at + 7,
    );
  }
  return filled;
}

function names({ allPacks }: PackedScene["ports"]["log"]): readonly string[] {
  return allPacks.map(({ sk }) => sk).sort();
}

describe("the segments of a copied log table", () => {
  it("are restored into the same packs, so that a table that lost some of them has no copies", async () => {
    const from = await scene();
    const to = new RestoredScene(EIGHT + 24 * HOUR);
    const [kept] = from.ports.log.allPacks;
    if (kept !== undefined) await to.log.packs.append(kept);
    const restored = await restoreSegments(to.ports, loggedBatches(pagesOf(from)));
    expect(restored).toEqual({ segments: 6, known: 2, late: 0, expired: 0, setAside: 0 });
    expect(names(to.log)).toEqual(names(from.ports.log));
    expect(to.segments).toEqual(segmentsIn(from.ports.log));
  });

  it("are set aside if their pack cannot be read", async () => {
    const damaged: LogItem = {
      key: { pk: "1#2026112108", sk: "2026-11-21T08:00:00.000Z#0123456789abcdef" },
      bytes: Buffer.from("P damaged"),
      sha256: "",
      factCount: 0,
    };
    const batches = await collect(
      loggedBatches(
        (async function* () {
          yield [damaged];
        })(),
      ),
    );
    expect(batches).toEqual([
      { segments: [{ bytes: damaged.bytes, arrivedAt: EIGHT }], shards: [{ shard: 1, hour: "2026112108" }] },
    ]);
    const to = new RestoredScene(EIGHT + HOUR);
    expect(
      await restoreSegments(
        to.ports,
        (async function* () {
          yield* batches;
        })(),
      ),
    ).toMatchObject({ setAside: 1 });
  });

  it("arrive when they were sealed if they are items of their own", async () => {
    const from = await scene();
    const [item] = from.ports.log.allPacks.flatMap(({ items }) => items);
    if (item === undefined) throw new Error("The scene has no segment.");
    const { pack: _, ...key } = item.key;
    const [batch] = await collect(
      loggedBatches(
        (async function* () {
          yield [{ ...item, key }];
        })(),
      ),
    );
    expect(batch?.segments[0]?.arrivedAt).toBe(EIGHT);
  });
});
