import { describe, expect, it } from "vitest";
import { applyDifferences } from "../../src/count/apply-differences.ts";
import type { HourDifference } from "../../src/count/count-batch.ts";
import { Differences } from "../../src/count/differences.ts";
import { shareOf } from "../../src/count/job-share.ts";
import { sha256Of } from "../../src/archive/layout/manifest.ts";
import { CountTable, NO_SUMS } from "../../src/count/count-table.ts";
import { rollUp } from "../../src/count/roll-up.ts";
import { dayKey, hourBit, hourKey, readSum } from "../../src/count/sums.ts";
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

/** A Job of an owner with the longest name, which compresses badly. */
function jobOf(owner: number, times: 1 | -1, hour = 0): HourDifference {
  const name = Array.from({ length: 4 }, (_, part) => sha256Of(Buffer.from(`${owner} ${part}`))).join("");
  const { hour: at } = difference(hour, 1);
  const namespace = name.slice(0, 63);
  const cell = {
    ...NO_SUMS,
    namespace,
    group: `Workflow/${name.slice(0, 253)}`,
    state: "Complete",
    findings: "",
  } as const;
  const table = new CountTable();
  table.add({ ...cell, jobs: 1, durations: new Map() }, times);
  return { cluster, hour: at, table };
}

function together(differences: readonly HourDifference[]): HourDifference {
  const table = new CountTable();
  for (const one of differences) table.addTable(one.table);
  return { ...difference(0, 1), table };
}

describe("the Jobs of more owners than a record can name", () => {
  // Compressing names that compress badly takes seconds.
  const timeout = 120_000;
  const [some, others] = [together(owners(0, 1_200, 1)), together(owners(1_200, 2_400, 1))];

  it(
    "are counted all the same, in records that DynamoDB accepts, and leave the counts again",
    async () => {
      const { counted, apply, roll, ofHour, ofDay } = projection();
      const of = { ...counted, cluster };
      await apply(1, some);
      await roll(0, 1);
      await apply(2, others);
      expect([await ofHour(0), await ofDay()]).toEqual([2_400, 2_400]);
      expect((await readSum(of, dayKey(of, "owner", "20260101"))).coarse).toBeGreaterThan(0);
      const { records } = await counted.meta.list("counts", { prefix: "", limit: 10 });
      expect(records).toHaveLength(4);
      for (const { value } of records) expect(Buffer.byteLength(value)).toBeLessThan(400_000);
      await apply(3, together(owners(0, 1, -1)));
      await apply(4, together(owners(1, 2_400, -1)));
      expect([await ofHour(0), await ofDay()]).toEqual([0, 0]);
      expect((await readSum(of, hourKey(of, DAY_BEGIN))).table.isEmpty).toBe(true);
      expect((await readSum(of, dayKey(of, "owner", "20260101"))).table.isEmpty).toBe(true);
    },
    timeout,
  );
});

function owners(from: number, to: number, times: 1 | -1): readonly HourDifference[] {
  return Array.from({ length: to - from }, (_, owner) => jobOf(from + owner, times));
}
