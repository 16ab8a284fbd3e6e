import { describe, expect, it } from "vitest";
import type { JobKey } from "../../../../src/ports/jobs.ts";
import {
  bitsFor,
  decodeGroup,
  entriesOf,
  groupText,
  readBucket,
  spread,
  type SpreadEntry,
  SpreadLostError,
} from "../../../../src/upkeep/replay/spread/spread-objects.ts";
import { jobText, placeOf } from "../../../../src/upkeep/replay/spread/job-text.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";
import { MemoryObjects } from "../../../support/stores/memory-objects.ts";

const keyOf = (number: number): JobKey => ({ cluster: clusterNamed("east"), jobUid: jobUid(`${number}`) });
const entriesFrom = (first: number, count: number): readonly SpreadEntry[] =>
  Array.from({ length: count }, (_, index) => [keyOf(first + index), Uint8Array.of(index % 256)]);

describe("the number of buckets", () => {
  it.each([
    [0, 0],
    [1, 0],
    [128, 0],
    [129, 1],
    [1_000, 3],
    [100_000, 10],
    [1_000_000, 11],
    [100_000_000, 11],
  ])("of %i entries is 2^%i", (entries, bits) => {
    expect(bitsFor(entries)).toBe(bits);
  });
});

describe("entries that were spread", () => {
  it("are all in the objects of their buckets, though groups have different numbers of buckets", async () => {
    const place = { objects: new MemoryObjects(), run: 1 };
    const [many, few] = [entriesFrom(0, 700), entriesFrom(700, 20)];
    const groups = [
      await spread(place, { kind: "log", name: "a" }, many),
      await spread(place, { kind: "log", name: "b" }, few),
    ];
    expect(groups.map(({ bits }) => bits)).toEqual([3, 0]);
    expect(place.objects.keys).toHaveLength(9);
    const found = new Map<string, number | undefined>();
    for (let bucket = 0; bucket < 8; bucket += 1) {
      for (const bytes of await readBucket(place, groups, { bucket, bits: 3 })) {
        for (const [key, value] of entriesOf(bytes)) {
          if (placeOf(jobText(key), { bits: 3, parts: 1 }).bucket === bucket) found.set(key.jobUid, value[0]);
        }
      }
    }
    expect(found).toEqual(new Map([...many, ...few].map(([{ jobUid: uid }, value]) => [uid, value[0]])));
  });

  it("have an object in each bucket, so that a missing one is noticed", async () => {
    const place = { objects: new MemoryObjects(), run: 1 };
    const group = await spread(place, { kind: "table", name: "a" }, entriesFrom(0, 200));
    await place.objects.remove("1/table/1/0/a");
    await expect(readBucket(place, [group], { bucket: 0, bits: 1 })).rejects.toThrow(SpreadLostError);
    expect(await readBucket(place, [group], { bucket: 1, bits: 1 })).toHaveLength(1);
  });
});

describe("a group", () => {
  it.each(["log", "table"] as const)("of kind %s is noted as a text", (kind) => {
    const group = { kind, bits: 11, name: "0123456789abcdef-12" };
    expect(decodeGroup(groupText(group))).toEqual(group);
  });
});
