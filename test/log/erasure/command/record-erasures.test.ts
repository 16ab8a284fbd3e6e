import { beforeEach, describe, expect, it } from "vitest";
import { readArchiveErasures } from "../../../../src/archive/read/archive-erasures.ts";
import { settleAdopted } from "../../../../src/log/erasure/adopt-erasures.ts";
import { listErasures } from "../../../../src/log/erasure/stored-erasures.ts";
import { ErasureNotRestorableError, recordErasures } from "../../../../src/log/erasure/command/record-erasures.ts";
import { EIGHT, endedJob, HOUR } from "../../../support/archive/archive-scene.ts";
import { PackedScene } from "../../../support/archive/packed-scene.ts";
import { eraseFrom, erasureOfJob, storeErasure } from "../../../support/erasure/archived-erasure.ts";

let from: PackedScene;
let stage: PackedScene;
beforeEach(async () => {
  from = new PackedScene();
  await from.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + HOUR / 2);
  await from.archive(EIGHT + 2 * HOUR);
  await eraseFrom(from.store, erasure());
  stage = new PackedScene();
});

const erasure = () => erasureOfJob("report", EIGHT + HOUR);
const record = async () => recordErasures(stage.ports, (await readArchiveErasures(from.store)).files);
const stages = async () => (await listErasures(stage.ports.meta)).map(({ record: { id, stage: now } }) => [id, now]);

describe("the erasures of an archive from which a stage is filled", () => {
  it("are not done before the stage is filled, and a run that was killed is repeated", async () => {
    await stage.tell(endedJob({ name: "other", createdAt: EIGHT }), EIGHT + HOUR);
    await record();
    const recorded = await record();
    expect(await stages()).toEqual([["erasure-1", "gathering"]]);
    expect(recorded.map(({ record: { id } }) => id)).toEqual(["erasure-1"]);
    await settleAdopted(stage.ports.meta, recorded);
    expect(await stages()).toEqual([["erasure-1", "done"]]);
    expect(await record()).toEqual([]);
  });

  it("refuse a stage that has their data already", async () => {
    await stage.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + HOUR / 2);
    await expect(record()).rejects.toThrow(ErasureNotRestorableError);
    await expect(record()).rejects.toThrow(/erasure-1, and the log of the stage has its data already/);
    expect(await stages()).toEqual([]);
  });

  it("refuse a stage that has not finished one of them", async () => {
    await storeErasure(stage.ports.meta, erasure(), "erasing");
    await expect(record()).rejects.toThrow(/erasure-1, and the stage has not finished it. Repeat its command/);
  });
});
