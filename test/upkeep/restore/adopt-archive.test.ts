import { beforeEach, describe, expect, it } from "vitest";
import { verifyArchive } from "../../../src/archive/verify/verify-archive.ts";
import { archiveLog } from "../../../src/archive/write/archive-log.ts";
import { ARCHIVE_KEY } from "../../../src/ports/meta-key.ts";
import { adoptArchive } from "../../../src/upkeep/restore/adopt-archive.ts";
import { EIGHT, endedJob, HOUR } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";
import { archivedText, eraseFrom, erasureOfJob, storeErasure } from "../../support/erasure/archived-erasure.ts";
import { KilledError } from "../../support/killed/killed-at.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

class NamedObjects extends MemoryObjects {
  override readonly name: "memory";
  constructor(name: string) {
    super();
    this.name = name as "memory";
  }
}

class UndeletedObjects extends MemoryObjects {
  override async remove(): Promise<void> {}
}

let from: PackedScene;
let stage: PackedScene;
let to: MemoryObjects;
beforeEach(async () => {
  from = new PackedScene();
  // To the end of a day, so that parts were compacted.
  for (let hour = 0; hour < 17; hour += 4) {
    const at = EIGHT + hour * HOUR;
    await from.tell(endedJob({ name: `job-${hour}`, createdAt: at - HOUR }), at);
  }
  await from.archive(EIGHT + 20 * HOUR);
  stage = new PackedScene();
  to = new NamedObjects("memory of the new stage");
});

function archiveStage(now: number) {
  return archiveLog({ ...stage.ports, store: to }, { now, newId: () => "archive-2" });
}

const adopt = () => adoptArchive({ from: from.store, to, meta: stage.ports.meta });

describe("an archive that a new stage adopts", () => {
  it("has the same objects, and the stage continues it", async () => {
    // The archiver of an empty stage has run.
    await archiveStage(EIGHT + 20 * HOUR);
    await adopt();
    expect(to.keys).toEqual(from.store.keys);
    const before = (await verifyArchive(from.store)).hours;
    await archiveStage(EIGHT + 23 * HOUR);
    const verified = await verifyArchive(to);
    expect(verified.problems).toEqual([]);
    expect(verified.hours).toBe(before + 3);
  });

  it("is complete after a copy that was killed at any step was repeated, and is not continued before", async () => {
    await archiveStage(EIGHT + 20 * HOUR);
    for (let writes = 0; writes < from.store.keys.length; writes += 1) {
      to.writesLeft = writes;
      await expect(adopt()).rejects.toThrow(KilledError);
      to.writesLeft = Number.POSITIVE_INFINITY;
      if (to.keys.some((key) => key.startsWith("manifest/"))) {
        await expect(archiveStage(EIGHT + 23 * HOUR)).rejects.toThrow("belongs to another database");
      }
    }
    await adopt();
    expect(to.keys).toEqual(from.store.keys);
    expect((await verifyArchive(to)).problems).toEqual([]);
  });

  it("does not have the parts that a replica without deletions still has", async () => {
    const replica = new UndeletedObjects();
    await from.archive(EIGHT + 20 * HOUR, replica);
    const day = from.store.keys.length;
    expect(replica.keys.length).toBeGreaterThan(day);
    await adoptArchive({ from: replica, to, meta: stage.ports.meta });
    expect(to.keys).toEqual(from.store.keys);
    expect((await verifyArchive(to)).problems).toEqual([]);
  });

  it("is only recorded if it is the stage's own bucket", async () => {
    await adoptArchive({ from: from.store, to: from.store, meta: stage.ports.meta });
    expect((await stage.ports.meta.read("position", ARCHIVE_KEY))?.value).toContain("archive-1");
  });

  it("is refused if the stage has archived hours of its own", async () => {
    await stage.tell(endedJob({ name: "own", createdAt: EIGHT }), EIGHT + HOUR);
    await archiveStage(EIGHT + 20 * HOUR);
    const before = to.keys;
    await expect(adopt()).rejects.toThrow("The stage has begun an archive of its own");
    expect(to.keys).toEqual(before);
  });

  it("is refused with the name of an object that was changed since", async () => {
    const key = from.store.keys.find((one) => one.startsWith("segments/")) ?? "";
    from.store.objects.set(key, Buffer.from("OUTSEG1\n"));
    await expect(adopt()).rejects.toThrow(key);
  });
});

/** The first Job of the archive. Its data is in a compacted part and in segments. */
const erasure = () => erasureOfJob("job-0", EIGHT + 20 * HOUR);

describe("an archive that is older than an erasure of the stage", () => {
  beforeEach(async () => {
    await storeErasure(stage.ports.meta, erasure());
    expect(await archivedText(from.store)).toContain("job-0");
  });

  it("is adopted without the erased data, and the stage continues it", async () => {
    const before = new Map(from.store.objects);
    await adopt();
    expect(await archivedText(to)).not.toContain("job-0");
    expect(await archivedText(to)).toContain("job-4");
    expect(from.store.objects).toEqual(before);
    await archiveStage(EIGHT + 24 * HOUR);
    const verified = await verifyArchive(to);
    expect(verified.problems).toEqual([]);
    expect(verified.erased).not.toEqual([]);
  });

  it("is adopted without the erased data after a copy that was killed at any step was repeated", async () => {
    for (let writes = 0; ; writes += 1) {
      to.writesLeft = writes;
      const [adopted] = await Promise.allSettled([adopt()]);
      expect(await archivedText(to)).not.toContain("job-0");
      if (adopted.status === "fulfilled") break;
      expect(adopted.reason).toBeInstanceOf(KilledError);
    }
    to.writesLeft = Number.POSITIVE_INFINITY;
    expect((await verifyArchive(to)).problems).toEqual([]);
    expect(await archivedText(to)).toContain("job-4");
  });

  it("does not bring objects back into a bucket from which they were erased", async () => {
    const replica = new MemoryObjects(from.store.objects);
    await eraseFrom(from.store, erasure());
    await adoptArchive({ from: replica, to: from.store, meta: stage.ports.meta });
    expect(await archivedText(from.store)).not.toContain("job-0");
    expect((await verifyArchive(from.store)).problems).toEqual([]);
  });

  it("is refused if it is the stage's own bucket", async () => {
    const adopted = adoptArchive({ from: from.store, to: from.store, meta: stage.ports.meta });
    await expect(adopted).rejects.toThrow(/memory has data that erasure erasure-1 of the stage removed.*Repeat/);
    expect(await stage.ports.meta.read("position", ARCHIVE_KEY)).toBeUndefined();
  });
});
