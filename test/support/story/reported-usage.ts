import { storedSums } from "../../../src/count/stored-sums.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { HourlyUsage } from "../../../src/job/usage/usage.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import type { UsageQuery } from "../../../src/query/usage/usage-report.ts";
import { usageOf } from "../facts/usage-of.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../stores/count-scene.ts";
import { MemoryLog } from "../stores/memory-log.ts";
import { listedJob, second } from "./listed-job.ts";

export type Written = readonly [job: JobAnswer, usage?: HourlyUsage];

/** A Job of each hour of two days, in two clusters and namespaces, whose second part is in the next hour. */
export const JOBS_OF_TWO_DAYS: readonly Written[] = Array.from({ length: 48 }, (_, n): Written => {
  const job = listedJob({
    uid: `u${n}`,
    cluster: n % 2 === 0 ? "east" : "west",
    namespace: n % 3 === 0 ? "a" : "b",
    labels: n % 4 === 0 ? { team: "blue" } : {},
    createdAt: second(n * 3_600),
    ...(n % 5 === 0 && { owner: { kind: "CronJob", name: "nightly", uid: "c" } }),
  });
  const usage = new Map([
    [DAY_BEGIN + n * HOUR, usageOf(1, { startUp: 1, kept: 100 + n })],
    [DAY_BEGIN + (n + 1) * HOUR, usageOf(0, { kept: 10 })],
  ]);
  return [job, usage];
});

/** A stage whose Jobs are counted. */
export async function countedStage(jobs: readonly Written[]): Promise<QueryPorts> {
  const scene = new CountScene();
  await scene.count();
  for (const [job, usage] of jobs) await scene.write(job, usage);
  await scene.count();
  return { jobs: scene.store, meta: scene.meta, log: new MemoryLog(), sums: storedSums(scene.ports) };
}

export const FIRST_DAY: UsageQuery = { filter: {}, since: DAY_BEGIN, until: DAY_BEGIN + 24 * HOUR };
