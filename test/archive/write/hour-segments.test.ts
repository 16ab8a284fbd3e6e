import { beforeEach, describe, expect, it } from "vitest";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { readArrivals } from "../../../src/archive/write/arrivals.ts";
import { firstHour, hourSegments, loggedClusters } from "../../../src/archive/write/hour-segments.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { collect } from "../../support/running/collect.ts";

const east = clusterNamed("east");
let scene: ArchiveScene;
beforeEach(() => {
  scene = new ArchiveScene();
});

const tell = (sealedAt: number, arrivesAt = sealedAt, cluster = "east"): Promise<void> =>
  scene.tracker.tell(endedJob({ name: `job-${sealedAt}`, createdAt: EIGHT }), sealedAt, arrivesAt, cluster);

const logOf = async () => ({ cluster: east, arrivals: await readArrivals(scene.tracker.ports.meta, east) });

async function sealedIn(hour: number): Promise<readonly string[]> {
  const items = await collect(hourSegments(scene.tracker.ports.log, await logOf(), hourOf(EIGHT) + hour));
  return items.map(({ key }) => key.sk.slice(11, 19));
}

describe("the segments of an hour", () => {
  it("are those that were sealed in it, without its neighbours", async () => {
    for (const at of [EIGHT - 1, EIGHT, EIGHT + HOUR - 1, EIGHT + HOUR]) await tell(at);
    expect(await sealedIn(0)).toEqual(["08:00:00", "08:59:59"]);
  });

  it("are also those that arrived late in it, and no others that were sealed in it", async () => {
    await tell(EIGHT - 3 * HOUR, EIGHT + MINUTE);
    await tell(EIGHT + MINUTE);
    await tell(EIGHT + 2 * MINUTE, EIGHT + 2 * HOUR);
    expect(await sealedIn(0)).toEqual(["05:00:00", "08:01:00"]);
    expect(await sealedIn(2)).toEqual(["08:02:00"]);
  });
});

describe("the first hour of a log", () => {
  it("is the hour of the first segment that arrived in time, not of one that was imported later", async () => {
    await tell(EIGHT - 48 * HOUR, EIGHT + 5 * HOUR);
    await tell(EIGHT + HOUR);
    expect(await firstHour(scene.tracker.ports, [await logOf()])).toBe(hourOf(EIGHT) + 1);
  });

  it("is the hour of the import if every segment was imported", async () => {
    await tell(EIGHT - 48 * HOUR, EIGHT);
    expect(await firstHour(scene.tracker.ports, [await logOf()])).toBe(hourOf(EIGHT));
  });

  it("is unknown without segments", async () => {
    expect(await firstHour(scene.tracker.ports, [await logOf()])).toBeUndefined();
  });
});

describe("the clusters of a log", () => {
  it("are listed once, however many days they have", async () => {
    await tell(EIGHT);
    await tell(EIGHT + 24 * HOUR);
    await tell(EIGHT, EIGHT, "west");
    expect(await loggedClusters(scene.tracker.ports.meta)).toEqual(["east", "west"]);
  });
});
