import { describe, expect, it } from "vitest";
import { CountTable } from "../../src/count/count-table.ts";
import { dayKey, dayOf, hourBit, hourKey, hourOfKey, hoursIn, inDay, readSum, writeSum } from "../../src/count/sums.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { shareOf } from "../../src/count/job-share.ts";
import { jobUid } from "../support/facts/names.ts";
import { DAY_BEGIN, HOUR } from "../support/stores/count-scene.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { clusterOf, listedJob, rowOf } from "../support/story/listed-job.ts";
import { SumsConflictError, SumsUnreadableError } from "../../src/count/metrics/sums/sums-errors.ts";

const meta = new MemoryMetaStore();
const east = { meta, projection: "A" as const, cluster: clusterOf("east") };
const owner = { kind: "CronJob", name: "nightly", uid: "c" };
const share = shareOf(jobUid("u"), { bytes: new Uint8Array(), row: rowOf(listedJob({ owner })) });
const table = CountTable.of(share === undefined ? [] : [share.cell]);

/** The names of the cells in the sum of a day. */
const name = (by: "namespace" | "owner" | "hour") =>
  inDay(by, DAY_BEGIN, table)
    .cells()
    .map(({ namespace, group }) => [namespace, group]);

describe("the keys of sums", () => {
  it("name the cluster first, and sort by time", () => {
    expect(hourKey(east, DAY_BEGIN + 9 * HOUR)).toBe("east#A#hour#2026010109");
    expect(dayKey(east, "owner", dayOf(DAY_BEGIN + 9 * HOUR))).toBe("east#A#day#owner#20260101");
    expect(hourKey({ ...east, projection: "B" }, DAY_BEGIN)).toBe("east#B#hour#2026010100");
  });

  it("say which hour they are of", () => {
    expect(hourOfKey(hourKey(east, DAY_BEGIN + 9 * HOUR))).toBe(DAY_BEGIN + 9 * HOUR);
    expect(hourOfKey(dayKey(east, "owner", "20260101"))).toBeUndefined();
  });
});

describe("the hours in the sum of a day", () => {
  it("are bits, from the first hour on", () => {
    const [first, last] = [DAY_BEGIN, DAY_BEGIN + 23 * HOUR];
    expect([hourBit(first), hourBit(last)]).toEqual([1, 2 ** 23]);
    expect(hoursIn("20260101", hourBit(first) | hourBit(last))).toEqual([first, last]);
    expect(hoursIn("20260101", 0)).toEqual([]);
  });

  it("are those of any year", () => {
    const before1970 = Date.parse("1969-12-31T05:00:00Z");
    expect(hourBit(before1970)).toBe(2 ** 5);
    expect(hoursIn("19691231", hourBit(before1970))).toEqual([before1970]);
  });

  it("lose what the day does not distinguish", () => {
    expect(name("namespace")).toEqual([["batch", ""]]);
    expect(name("owner")).toEqual([["batch", "CronJob/nightly"]]);
    expect(name("hour")).toEqual([["", String(DAY_BEGIN)]]);
  });
});

describe("a stored sum", () => {
  it("is empty until it is written", async () => {
    expect(await readSum(east, "east#A#hour#none")).toMatchObject({ round: 0, hours: 0, version: 0 });
  });

  it("is what was written", async () => {
    await writeSum(east, "east#A#hour#1", { table, round: 3, hours: 5, coarse: 0, version: 0 });
    const sum = await readSum(east, "east#A#hour#1");
    expect({ ...sum, table: sum.table.cells() }).toEqual({
      table: table.cells(),
      round: 3,
      hours: 5,
      coarse: 0,
      version: 1,
    });
  });

  it("is written over the version that was read only", async () => {
    await writeSum(east, "east#A#hour#2", { table, round: 1, hours: 0, coarse: 0, version: 0 });
    await expect(writeSum(east, "east#A#hour#2", { table, round: 1, hours: 0, coarse: 0, version: 0 })).rejects.toThrow(
      SumsConflictError,
    );
  });

  it("is reported where it cannot be read", async () => {
    await meta.write("counts", "east#A#hour#3", { value: JSON.stringify({ round: 1, table: "9" }), expected: 0 });
    await expect(readSum(east, "east#A#hour#3")).rejects.toThrow(SumsUnreadableError);
  });
});

/** For how many days the record of a sum is kept. */
async function lifetimeOf(sum: Partial<Parameters<typeof writeSum>[2]>): Promise<number | undefined> {
  const records = new MemoryMetaStore();
  const lifetimes: (number | undefined)[] = [];
  const write: MetaStore["write"] = (kind, key, record) => {
    lifetimes.push(record.lifetimeDays);
    return records.write(kind, key, record);
  };
  const stage = { ...east, meta: { read: records.read.bind(records), list: records.list.bind(records), write } };
  const empty = { table: new CountTable(), round: 1, hours: 0, coarse: 0, version: 0 } as const;
  await writeSum(stage, hourKey(east, DAY_BEGIN), { ...empty, ...sum });
  return lifetimes[0];
}

describe("a sum without Jobs", () => {
  it("expires after five weeks; one with Jobs is kept while it has any", async () => {
    expect(await lifetimeOf({})).toBe(35);
    expect(await lifetimeOf({ table })).toBeUndefined();
  });

  it("of a day is kept while it stands for its hours", async () => {
    expect(await lifetimeOf({ hours: hourBit(DAY_BEGIN) })).toBeUndefined();
  });
});
