import { describe, expect, it } from "vitest";
import { Differences } from "../../src/counts/differences.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { EARLIEST } from "../../src/job/model/instant.ts";
import type { EncodedJobState } from "../../src/ports/job-row.ts";
import type { StreamedWrite } from "../../src/ports/streams/streamed-write.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../support/stores/count-scene.ts";
import { listedJob, rowOf, second } from "../support/story/listed-job.ts";

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
