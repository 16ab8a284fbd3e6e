import { describe, expect, it } from "vitest";
import { decodeJobText, jobText, placeOf } from "../../../../src/upkeep/replay/spread/job-text.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";

const keys = Array.from({ length: 3_000 }, (_, number) => ({
  cluster: clusterNamed("east"),
  jobUid: jobUid(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`),
}));

describe("the text of a Job", () => {
  it("names the Job", () => {
    for (const key of keys.slice(0, 3)) expect(decodeJobText(jobText(key))).toEqual(key);
    expect(decodeJobText("east")).toBeUndefined();
  });
});

describe("the place of a Job", () => {
  it("is one of 2^bits buckets, each with about as many Jobs", () => {
    const sizes = Map.groupBy(keys, (key) => placeOf(jobText(key), { bits: 2, parts: 1 }).bucket);
    expect(new Set(sizes.keys())).toEqual(new Set([0, 1, 2, 3]));
    for (const { length } of sizes.values()) expect(length).toBeGreaterThan(600);
    expect(new Set(keys.map((key) => placeOf(jobText(key), { bits: 0, parts: 1 }).bucket))).toEqual(new Set([0]));
  });

  it("is in the bucket whose number begins with that of the bucket among fewer", () => {
    for (const key of keys) {
      const { bucket } = placeOf(jobText(key), { bits: 11, parts: 1 });
      expect(placeOf(jobText(key), { bits: 3, parts: 1 }).bucket).toBe(bucket >>> 8);
    }
  });

  it("is in one of the parts of its bucket, each with about as many Jobs", () => {
    const inOne = keys.map((key) => placeOf(jobText(key), { bits: 1, parts: 3 })).filter(({ bucket }) => bucket === 1);
    const sizes = Map.groupBy(inOne, ({ part }) => part);
    expect(new Set(sizes.keys())).toEqual(new Set([0, 1, 2]));
    for (const { length } of sizes.values()) expect(length).toBeGreaterThan(400);
  });
});
