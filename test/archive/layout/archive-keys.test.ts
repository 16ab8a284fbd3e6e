import { describe, expect, it } from "vitest";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import {
  decodeManifestKey,
  manifestKey,
  partitionOfKey,
  isHourPart,
  partKey,
  segmentsKey,
} from "../../../src/archive/layout/archive-keys.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const hour = hourOf(Date.UTC(2026, 10, 21, 8));
const lastHour = hour + 15;
const cluster = clusterNamed("prod-eu");

describe("a manifest", () => {
  it("is in the partition of its hour", () => {
    expect(manifestKey({ kind: "hour", hour })).toBe("manifest/dt=2026-11-21/hour=08/manifest.json");
  });

  it.each(["hour", "day"] as const)("of kind %s has a key that says which one it is", (kind) => {
    expect(decodeManifestKey(manifestKey({ kind, hour: lastHour }))).toEqual({ kind, hour: lastHour });
  });

  it.each(["manifest/dt=2026-11-21/hour=24/manifest.json", "manifest/manifest.json", "jobs/dt=2026-11-21/x"])(
    "is not %s",
    (key) => {
      expect(decodeManifestKey(key)).toBeUndefined();
    },
  );
});

describe("segments", () => {
  it("are named by their content", () => {
    expect(segmentsKey(hour, "ab")).toBe("segments/dt=2026-11-21/hour=08/ab.seg");
  });
});

describe("a part", () => {
  const partition = { table: "jobs", day: "2026-11-21", cluster } as const;

  it("of a day has number 0 if its rows were archived on their own day", () => {
    const key = "jobs/dt=2026-11-21/cluster=prod-eu/part-0.parquet";
    expect(partKey(partition, { kind: "day", hour: lastHour }, 0)).toBe(key);
  });

  it("of late rows has the number of days that they are late", () => {
    const key = "jobs/dt=2026-11-21/cluster=prod-eu/part-2.parquet";
    expect(partKey(partition, { kind: "day", hour: lastHour + 48 }, 0)).toBe(key);
  });

  it("of an hour names the hour, and its number after a split", () => {
    const key = "jobs/dt=2026-11-21/cluster=prod-eu/part-0-h08-1.parquet";
    expect(partKey(partition, { kind: "hour", hour }, 1)).toBe(key);
  });

  it.each([
    ["on its own day", hour],
    ["later", hour + 48],
    ["on the day before, because the clock of a Node was ahead of midnight", hour - 24],
  ])("of an hour is one, if it was archived %s", (_, archivedAt) => {
    expect(isHourPart(partKey(partition, { kind: "hour", hour: archivedAt }, 0))).toBe(true);
    expect(isHourPart(partKey(partition, { kind: "day", hour: archivedAt }, 0))).toBe(false);
  });

  it("tells its partition", () => {
    expect(partitionOfKey(partKey(partition, { kind: "hour", hour }, 0))).toEqual(partition);
  });

  it("is not a segment file", () => {
    expect(partitionOfKey(segmentsKey(hour, "ab"))).toBeUndefined();
  });
});
