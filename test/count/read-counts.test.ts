import { beforeAll, describe, expect, it } from "vitest";
import { readCounts } from "../../src/count/read-counts.ts";
import { EARLIEST, LATEST } from "../../src/job/model/instant.ts";
import type { CountedHours } from "../../src/ports/sums/job-sums.ts";
import { countedStore } from "../support/stores/counted-store.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../support/stores/count-scene.ts";
import { clusterOf, listedJob, second } from "../support/story/listed-job.ts";

const cluster = clusterOf("east");
const scene = new CountScene();
const ALL: CountedHours = { from: EARLIEST, to: LATEST, by: "namespace" };

beforeAll(async () => {
  await scene.count();
  // One Job in each hour of a day and of the first six of the next, in two namespaces.
  for (let hour = 0; hour < 30; hour += 1) {
    const namespace = hour % 2 === 0 ? "a" : "b";
    await scene.write(listedJob({ uid: `u${hour}`, createdAt: second(hour * 3_600), namespace }));
  }
  for (let hour = 0; hour < 32; hour += 1) {
    scene.now = DAY_BEGIN + hour * HOUR + HOUR / 2;
    await scene.count();
  }
});

async function jobsIn(hours: Partial<CountedHours>): Promise<Readonly<Record<string, number>>> {
  const jobs: Record<string, number> = {};
  for await (const cell of readCounts({ ...scene.ports, cluster }, { ...ALL, ...hours })) {
    const name = [cell.namespace, cell.group].filter((part) => part !== "").join(" ");
    jobs[name] = (jobs[name] ?? 0) + cell.jobs;
  }
  return jobs;
}

const range = (from: number, to: number) => jobsIn({ from: DAY_BEGIN + from * HOUR, to: DAY_BEGIN + to * HOUR });

describe("counts that are read", () => {
  it("are those of all Jobs by namespace", async () => {
    expect(await jobsIn({})).toEqual({ a: 15, b: 15 });
  });

  it("are those of some hours, within a day and over its end", async () => {
    expect(await range(3, 6)).toEqual({ a: 1, b: 2 });
    expect(await range(0, 24)).toEqual({ a: 12, b: 12 });
    expect(await range(22, 26)).toEqual({ a: 2, b: 2 });
    expect(await range(7, 7)).toEqual({});
  });

  it("are those of each hour, with and without namespaces", async () => {
    const two = { from: DAY_BEGIN, to: DAY_BEGIN + 2 * HOUR, by: "hour" as const };
    expect(await jobsIn(two)).toEqual({ [DAY_BEGIN]: 1, [DAY_BEGIN + HOUR]: 1 });
    expect(Object.keys(await jobsIn({ by: "hour" }))).toHaveLength(30);
    const detailed = await jobsIn({ ...two, withNamespaces: true });
    expect(detailed).toEqual({ [`a ${DAY_BEGIN}`]: 1, [`b ${DAY_BEGIN + HOUR}`]: 1 });
  });

  it("are those of each day", async () => {
    expect(await jobsIn({ byDay: true })).toEqual({
      [`a ${DAY_BEGIN}`]: 12,
      [`b ${DAY_BEGIN}`]: 12,
      [`a ${DAY_BEGIN + 24 * HOUR}`]: 3,
      [`b ${DAY_BEGIN + 24 * HOUR}`]: 3,
    });
  });

  it("take one request for whole days, and one for the hours after them", async () => {
    const requests: string[] = [];
    const meta = countedStore(scene.meta, requests);
    const hours = { from: DAY_BEGIN, to: DAY_BEGIN + 30 * HOUR, by: "namespace" as const };
    for await (const _ of readCounts({ ...scene.ports, meta, cluster }, hours)) continue;
    expect(requests).toEqual(["list", "list"]);
  });
});
