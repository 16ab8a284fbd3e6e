import { describe, expect, it } from "vitest";
import { Differences } from "../../src/count/differences.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { EARLIEST } from "../../src/job/model/instant.ts";
import type { EncodedJobState } from "../../src/ports/job-row.ts";
import type { StreamedWrite } from "../../src/ports/streams/streamed-write.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../support/stores/count-scene.ts";
import { ATTEMPTS, JOBS, JOBS_FINISHED } from "../../src/count/metrics/metric-families.ts";
import { jobUid } from "../support/facts/names.ts";
import { failingJob } from "../support/notify/failing-job.ts";
import { StreamedJobStore } from "../support/stores/streamed-job-store.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { storesOver, tell } from "../support/stores/stores-with-facts.ts";
import { clusterOf, listedJob, rowOf, second } from "../support/story/listed-job.ts";

const running = listedJob({ verdict: { state: "Running", final: false, basis: "both" } });
const complete = listedJob();

function stateOf(job: JobAnswer): EncodedJobState {
  return { bytes: new Uint8Array(), row: rowOf(job) };
}

function writeOf(before: JobAnswer | undefined, after: JobAnswer | undefined, at = 0): StreamedWrite {
  return {
    key: CountScene.keyOf(after ?? before ?? complete),
    position: "1",
    at,
    ...(before && { before: stateOf(before) }),
    ...(after && { after: stateOf(after) }),
  };
}

function differences(writes: readonly StreamedWrite[], since = EARLIEST): Differences {
  const all = new Differences(since);
  for (const write of writes) all.add(write);
  return all;
}

/** Jobs by state, hour by hour. */
function jobsIn(all: Differences) {
  return all.hours().map(({ hour, table }) => {
    return [(hour - DAY_BEGIN) / HOUR, Object.fromEntries(table.cells().map(({ state, jobs }) => [state, jobs]))];
  });
}

describe("the differences of writes", () => {
  it("are one more Job for a new one, one fewer for one that was deleted", () => {
    expect(jobsIn(differences([writeOf(undefined, running)]))).toEqual([[0, { Running: 1 }]]);
    expect(jobsIn(differences([writeOf(complete, undefined)]))).toEqual([[0, { Complete: -1 }]]);
  });

  it("move a Job from one state to another", () => {
    expect(jobsIn(differences([writeOf(running, complete)]))).toEqual([[0, { Complete: 1, Running: -1 }]]);
  });

  it("move a Job to another hour where its creation becomes known", () => {
    const later = { ...complete, createdAt: second(7_200) };
    expect(jobsIn(differences([writeOf(complete, later)]))).toEqual([
      [0, { Complete: -1 }],
      [2, { Complete: 1 }],
    ]);
  });

  it("are none for a Job that is as it was, though its hour was touched", () => {
    const all = differences([writeOf(running, complete), writeOf(complete, running)]);
    expect(all.hours()).toEqual([]);
    expect(all.touches(DAY_BEGIN, DAY_BEGIN + HOUR)).toBe(true);
    expect(all.touches(DAY_BEGIN + HOUR, DAY_BEGIN + 9 * HOUR)).toBe(false);
    expect(all.touches(DAY_BEGIN - HOUR, DAY_BEGIN)).toBe(false);
  });

  it("are none for a write that changes nothing that is counted", () => {
    expect(differences([writeOf(complete, complete)]).touches(DAY_BEGIN, DAY_BEGIN + HOUR)).toBe(false);
  });

  it("are none before the first hour that is counted", () => {
    expect(jobsIn(differences([writeOf(undefined, running)], DAY_BEGIN + HOUR))).toEqual([]);
    expect(jobsIn(differences([writeOf(undefined, running)], DAY_BEGIN))).toEqual([[0, { Running: 1 }]]);
  });

  it("know how many writes they are of, and the oldest", () => {
    const all = differences([
      writeOf(undefined, running, 7),
      writeOf(running, complete, 5),
      writeOf(complete, complete, 9),
    ]);
    expect(all).toMatchObject({ writes: 3, oldestAt: 5 });
  });
});

const EAST = clusterOf("east");
const NOW = Date.parse("2026-01-01T00:00:00Z");

/** The first `events` events of a failing Job, and perhaps its removal, as differences. */
async function metricsAfter(
  events: number,
  { isRemoved = false, isShown = true, since = 0, cluster = "east" } = {},
): Promise<Readonly<Record<string, number>>> {
  const jobs = new StreamedJobStore(() => NOW, 1);
  const stores = storesOver({ jobs, meta: new MemoryMetaStore(), log: new MemoryLog() });
  for (const facts of failingJob().slice(0, events)) await tell(stores, facts, { cluster });
  if (isRemoved) await jobs.remove({ cluster: clusterOf(cluster), jobUid: jobUid("charge") });
  const into = new Differences(EARLIEST, { since, isShown });
  await jobs.deliver(async ({ writes }) => {
    for (const write of writes) into.add(write);
  });
  return byName(into);
}

/** By the number of the family, and the state or outcome. */
function byName(all: Differences): Readonly<Record<string, number>> {
  const changed = all.clusters().get(EAST)?.changed() ?? [];
  return Object.fromEntries(
    changed.map(({ series: { family, labels }, parts }) => [
      `${family} ${labels["state"] ?? labels["outcome"] ?? ""}`,
      parts.get(0) ?? 0,
    ]),
  );
}

describe("what writes change in the metrics", () => {
  it("is the difference between the Job before and after them", async () => {
    expect(await metricsAfter(1)).toMatchObject({ [`${JOBS.number} Running`]: 1 });
    const ended = await metricsAfter(3);
    expect(ended).toMatchObject({ [`${JOBS_FINISHED.number} Failed`]: 1, [`${ATTEMPTS.number} Failed`]: 1 });
    expect(ended).not.toHaveProperty([`${JOBS.number} Running`]);
  });

  it("keeps the counters of a Job that expired, but not of one that a replay removed", async () => {
    expect(await metricsAfter(3, { isRemoved: true })).toMatchObject({ [`${JOBS_FINISHED.number} Failed`]: 1 });
    expect(await metricsAfter(3, { isRemoved: true, isShown: false })).toEqual({});
    expect(await metricsAfter(1, { isRemoved: true })).toEqual({});
  });

  it("leaves out Jobs that were created before metrics were counted, and probes", async () => {
    expect(await metricsAfter(3, { since: NOW + 1 })).toEqual({});
    expect(await metricsAfter(3, { cluster: "outlive-doctor" })).toEqual({});
  });
});
