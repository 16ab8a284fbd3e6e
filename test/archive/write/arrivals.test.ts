import { describe, expect, it } from "vitest";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { moveArrival, readArrivals } from "../../../src/archive/write/arrivals.ts";
import { lateKey } from "../../../src/ports/meta-key.ts";
import { MARKER } from "../../../src/ports/records/marker-record.ts";
import { segmentKey } from "../../../src/segment/segment-key.ts";
import { EIGHT, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const east = clusterNamed("east");

function sealed(sealedAt: number, sequence = 0): string {
  return segmentKey({ cluster: east, sealedAt, session: "0123456789abcdef", sequence }).sk;
}

async function arrivalsOf(...late: readonly (readonly [sk: string, arrivedAt: number])[]) {
  const meta = new MemoryMetaStore();
  for (const [sk, at] of late) await meta.write("late", lateKey(east, at, sk), { value: MARKER, expected: 0 });
  return readArrivals(meta, east);
}

describe("the hour of a segment", () => {
  it("is the hour of its sealing if no late arrival is recorded", async () => {
    expect((await arrivalsOf()).hourOf(sealed(EIGHT + 59 * MINUTE))).toBe(hourOf(EIGHT));
  });

  it("is the hour of its late arrival", async () => {
    const sk = sealed(EIGHT);
    const arrivals = await arrivalsOf([sk, EIGHT + 2 * HOUR]);
    expect(arrivals.hourOf(sk)).toBe(hourOf(EIGHT) + 2);
    expect(arrivals.firstLateHour).toBe(hourOf(EIGHT) + 2);
  });

  it("is the hour of its first arrival if it was delivered again", async () => {
    const sk = sealed(EIGHT);
    expect((await arrivalsOf([sk, EIGHT + 3 * HOUR], [sk, EIGHT + HOUR])).hourOf(sk)).toBe(hourOf(EIGHT) + 1);
  });

  it("is the last one to which the archive moved it", async () => {
    const meta = new MemoryMetaStore();
    const sk = sealed(EIGHT + 59 * MINUTE);
    const late = (at: number) => meta.write("late", lateKey(east, at, sk), { value: MARKER, expected: 0 });
    await late(EIGHT + HOUR + MINUTE - 1);
    await moveArrival(meta, { cluster: east, sk }, hourOf(EIGHT) + 2);
    await moveArrival(meta, { cluster: east, sk }, hourOf(EIGHT) + 3);
    await late(EIGHT + 5 * HOUR);
    expect((await readArrivals(meta, east)).hourOf(sk)).toBe(hourOf(EIGHT) + 3);
  });

  it("is the hour of its sealing if the exporter's clock is ahead", async () => {
    const sk = sealed(EIGHT + HOUR);
    expect((await arrivalsOf([sk, EIGHT])).hourOf(sk)).toBe(hourOf(EIGHT) + 1);
  });
});

describe("the late segments of an hour", () => {
  it("are those that were sealed before it, in order", async () => {
    const [a, b, same] = [sealed(EIGHT, 2), sealed(EIGHT - HOUR), sealed(EIGHT + 2 * HOUR)];
    const at = EIGHT + 2 * HOUR + MINUTE;
    const arrivals = await arrivalsOf([a, at], [b, at], [same, at], [sealed(EIGHT, 3), at + HOUR]);
    expect(arrivals.sealedBefore(hourOf(at))).toEqual([b, a]);
  });
});
