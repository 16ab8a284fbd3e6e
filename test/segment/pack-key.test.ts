import { describe, expect, it } from "vitest";
import { MAX_PACK_SHARDS } from "../../src/ports/deployment/limits.ts";
import {
  decodeHourPartition,
  hourBegin,
  hourPartition,
  MAX_SHARDS,
  packArrivedAt,
  packSortKey,
  utcHour,
} from "../../src/segment/pack-key.ts";

const AT = Date.UTC(2026, 10, 21, 8, 59, 59, 999);

describe("an hour of a shard", () => {
  it.each([
    [AT, "2026112108"],
    [AT + 1, "2026112109"],
    [Date.UTC(2026, 11, 31, 23, 30), "2026123123"],
  ])("is the UTC hour of the arrival: %i", (instant, hour) => {
    expect(utcHour(instant)).toBe(hour);
    expect(hourBegin(hour)).toBe(instant - (instant % 3_600_000));
  });

  it("is decoded from its partition", () => {
    const hour = { shard: 12, hour: "2026112108" };
    expect(decodeHourPartition(hourPartition(hour))).toEqual(hour);
  });

  it.each(["3#20261121", "east#2026112108", "64#2026112108", "3#2026112125", "3#2026132108", "", "3"])(
    "is not %j, which may be a day of a cluster",
    (partition) => expect(decodeHourPartition(partition)).toBeUndefined(),
  );

  it.each(["20261121", "2026112124", "x"])("does not begin at %j", (hour) => expect(hourBegin(hour)).toBeUndefined());
});

describe("the shards", () => {
  it("are as many as a stage may have", () => expect(MAX_SHARDS).toBe(MAX_PACK_SHARDS));
});

describe("the sort key of a pack", () => {
  it("sorts by arrival, then by name", () => {
    const keys = [packSortKey(AT, "b"), packSortKey(AT + 1, "a"), packSortKey(AT, "a")];
    expect(keys.toSorted()).toEqual([keys[2], keys[0], keys[1]]);
  });

  it("has the arrival", () => {
    expect(packArrivedAt(packSortKey(AT, "a"))).toBe(AT);
    expect(packArrivedAt("none")).toBe(0);
  });
});
