import { beforeAll, describe, expect, it } from "vitest";
import { CountTable } from "../../src/count/count-table.ts";
import { listDays, listHours } from "../../src/count/list-sums.ts";
import { dayKey, hourKey, type SumsOf, writeSum } from "../../src/count/sums.ts";
import { DAY_BEGIN, HOUR } from "../support/stores/count-scene.ts";
import { countedStore } from "../support/stores/counted-store.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { clusterOf } from "../support/story/listed-job.ts";

const meta = new MemoryMetaStore();
const east: SumsOf = { meta, projection: "A", cluster: clusterOf("east") };
const EMPTY = { table: new CountTable(), round: 1, hours: 0, coarse: 0 as const, version: 0 };
const HOURS = 250;

beforeAll(async () => {
  // The keys of another cluster, of the other projection and of days are near those of the hours.
  for (const other of [east, { ...east, projection: "B" as const }, { ...east, cluster: clusterOf("east-2") }]) {
    for (let hour = 0; hour < HOURS; hour += 1) await writeSum(other, hourKey(other, DAY_BEGIN + hour * HOUR), EMPTY);
  }
  for (const day of ["20260101", "20260102", "20260103"]) {
    await writeSum(east, dayKey(east, "owner", day), { ...EMPTY, hours: 3 });
    await writeSum(east, dayKey(east, "hour", day), EMPTY);
  }
});

const at = (hour: number | undefined) => (hour === undefined ? undefined : DAY_BEGIN + hour * HOUR);

async function hours(from?: number, to?: number): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const { hour } of listHours(east, { from: at(from), to: at(to) })) found.push((hour - DAY_BEGIN) / HOUR);
  return found;
}

describe("the sums of a cluster", () => {
  it("are all hours in order, over several pages", async () => {
    expect(await hours()).toEqual(Array.from({ length: HOURS }, (_, hour) => hour));
  });

  it.each([
    ["from an hour on, which is included", 247, undefined, [247, 248, 249]],
    ["before an hour, which is not", undefined, 2, [0, 1]],
    ["between two hours", 9, 11, [9, 10]],
    ["over the end of a day", 23, 25, [23, 24]],
    ["of no hours", 5, 5, []],
  ])("are those %s", async (_, from, to, expected) => {
    expect(await hours(from, to)).toEqual(expected);
  });

  it("are not asked for where there can be none: DynamoDB rejects a range that ends before it begins", async () => {
    const requests: string[] = [];
    const of = { ...east, meta: countedStore(meta, requests) };
    for await (const _ of listHours(of, { from: DAY_BEGIN, to: DAY_BEGIN })) expect.unreachable();
    for await (const _ of listDays(of, "owner", { from: "20260103", to: "20260102" })) expect.unreachable();
    expect(requests).toEqual([]);
  });

  it("are days of one grouping, with the hours in them", async () => {
    const found: unknown[] = [];
    for await (const { day, hours: bits } of listDays(east, "owner", { from: "20260102", to: "20260103" })) {
      found.push([day, bits]);
    }
    expect(found).toEqual([["20260102", 3]]);
  });
});
