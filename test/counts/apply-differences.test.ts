import { describe, expect, it } from "vitest";
import { applyDifferences } from "../../src/counts/apply-differences.ts";
import { Differences, type HourDifference } from "../../src/counts/differences.ts";
import { shareOf } from "../../src/counts/job-share.ts";
import { CountTable } from "../../src/counts/count-table.ts";
import { rollUp } from "../../src/counts/roll-up.ts";
import { dayKey, hourBit, hourKey, readSum } from "../../src/counts/sums.ts";
import { jobUid } from "../support/facts/names.ts";
import { DAY_BEGIN, HOUR } from "../support/stores/count-scene.ts";
import { countedStore } from "../support/stores/counted-store.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { clusterOf, listedJob, rowOf } from "../support/story/listed-job.ts";

const cluster = clusterOf("east");

function difference(hour: number, jobs: number): HourDifference {
  const share = shareOf(jobUid("u"), { bytes: new Uint8Array(), row: rowOf(listedJob()) });
  const table = new CountTable();
  if (share !== undefined) table.add(share.cell, jobs);
  return { cluster, hour: DAY_BEGIN + hour * HOUR, table };
}

function projection() {
  const requests: string[] = [];
  const meta = countedStore(new MemoryMetaStore(), requests);
  const counted = { meta, projection: "A" as const };
  const of = { ...counted, cluster };
  const jobsAt = async (key: string) => (await readSum(of, key)).table.jobs;
  return {
    counted,
    requests,
    apply: (round: number, ...differences: readonly HourDifference[]) => applyDifferences(counted, round, differences),
    roll: (hour: number, round: number) => rollUp(counted, [cluster], { hour: DAY_BEGIN + hour * HOUR, round }),
    ofHour: (hour: number) => jobsAt(hourKey(of, DAY_BEGIN + hour * HOUR)),
    ofDay: () => jobsAt(dayKey(of, "namespace", "20260101")),
    hoursOfDay: async () => (await readSum(of, dayKey(of, "namespace", "20260101"))).hours,
  };
}

describe("the differences of a round", () => {
  it("are added to the hours once, however often the round is applied", async () => {
    const { apply, ofHour } = projection();
    await apply(1, difference(0, 2), difference(5, 1));
    await apply(1, difference(0, 2), difference(5, 1));
    await apply(2, difference(0, 3));
    expect([await ofHour(0), await ofHour(5)]).toEqual([5, 1]);
  });

  it("are added to a day that has the hour, once", async () => {
    const { apply, roll, ofDay } = projection();
    await apply(1, difference(0, 2), difference(1, 1));
    await roll(0, 1);
    expect(await ofDay()).toBe(2);
    await apply(2, difference(0, 1), difference(1, 4));
    await apply(2, difference(0, 1), difference(1, 4));
    expect(await ofDay()).toBe(3);
    await roll(1, 2);
    await roll(1, 2);
    expect(await ofDay()).toBe(8);
  });

  it("take an hour that loses Jobs out of its day, whose sum is not written for it again", async () => {
    const { apply, roll, ofDay, ofHour, hoursOfDay, requests } = projection();
    await apply(1, difference(0, 5), difference(1, 1));
    await roll(0, 1);
    await roll(1, 1);
    await apply(2, difference(0, -2));
    await apply(2, difference(0, -2));
    expect([await ofDay(), await ofHour(0)]).toEqual([1, 3]);
    expect(await hoursOfDay()).toBe(hourBit(DAY_BEGIN + HOUR));
    requests.length = 0;
    await apply(3, difference(0, -1));
    expect(requests.filter((request) => request === "write")).toHaveLength(1);
  });

  it("write nothing for a day without the hour", async () => {
    const { apply, ofDay, requests } = projection();
    await apply(1, difference(3, 1));
    expect(requests.filter((request) => request === "write")).toHaveLength(1);
    expect(await ofDay()).toBe(0);
  });

  it("are none of no writes", async () => {
    const { apply, requests } = projection();
    await apply(1, ...new Differences(0).hours());
    expect(requests).toEqual([]);
  });
});
