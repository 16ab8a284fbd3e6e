import { beforeEach, describe, expect, it } from "vitest";
import type { RestoredMessage } from "../../../src/upkeep/restore/restore-request.ts";
import { EIGHT, endedJob, HOUR } from "../../support/archive/archive-scene.ts";
import { PackedScene, type SealedScene } from "../../support/archive/packed-scene.ts";
import { RestoredScene } from "../../support/archive/restored-scene.ts";

const NOW = EIGHT + 24 * HOUR;
let from: PackedScene;
let to: RestoredScene;
beforeEach(() => {
  from = new PackedScene();
  to = new RestoredScene(NOW);
});

function sealed(name: string, sealedAt = EIGHT): SealedScene {
  return from.seal(endedJob({ name, createdAt: sealedAt - HOUR }), sealedAt);
}

function message({ bytes }: SealedScene, arrivedAt = EIGHT): RestoredMessage {
  return { body: Buffer.from(bytes).toString("base64"), arrivedAt };
}

describe("segments of another log", () => {
  it("are appended where they arrived first, those with one arrival in one pack", async () => {
    const outcomes = await to.append([message(sealed("a")), message(sealed("b")), message(sealed("c"), EIGHT + HOUR)]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["appended", "appended", "appended"]);
    expect(to.log.allPacks.map(({ hour, items }) => [hour.hour, items.length])).toEqual([
      ["2026112108", 2],
      ["2026112109", 1],
    ]);
    expect((await to.meta.list("logHour", { prefix: "", limit: 9 })).records).toHaveLength(2);
  });

  it("are appended whatever their age, unless the log no longer keeps them", async () => {
    const old = EIGHT - 429 * 24 * HOUR;
    const expired = EIGHT - 431 * 24 * HOUR;
    const outcomes = await to.append([message(sealed("a", old), old), message(sealed("b", expired), expired)]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["appended", "expired"]);
  });

  it("are written once, however often they are sent", async () => {
    const messages = [message(sealed("a")), message(sealed("b"))];
    await to.append(messages);
    expect(await to.append(messages)).toEqual(await to.append(messages));
    expect(to.log.allPacks).toHaveLength(1);
  });

  it("are both appended if they have one name and other facts", async () => {
    const first = sealed("a");
    const other = new PackedScene().seal(endedJob({ name: "b", createdAt: EIGHT - HOUR }), EIGHT);
    const outcomes = await to.append([message(first), message(other)]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["appended", "appended"]);
    expect(to.segments).toHaveLength(2);
  });

  it("are set aside with the reason if this release cannot read them", async () => {
    const { bytes } = sealed("a");
    const outcomes = await to.append([message({ bytes: bytes.with(0, 9) }), message(sealed("b"))]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["setAside", "appended"]);
    expect((await to.meta.list("setAside", { prefix: "", limit: 9 })).records).toHaveLength(1);
  });

  it("have failed while the log is unavailable, with the reason", async () => {
    to.log.takes = 0;
    expect(await to.append([message(sealed("a"))])).toEqual([
      { outcome: "failed", reason: "The store is unavailable." },
    ]);
  });
});
