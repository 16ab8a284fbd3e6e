import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { decodeJobUid } from "../../../src/job/model/ids.ts";
import { withMember } from "../../../src/explain/run/run-record.ts";
import type { LogItem } from "../../../src/ports/log.ts";
import { readLogItem } from "../../../src/projection/log-segment.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { encodedRun, recordOf } from "../../../src/projection/run-state/project-run.ts";
import { compareSegments } from "../../../src/upkeep/replay/audit-segments.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { failedTrainJob, queuedJobSet, restartedJobSet, second } from "../../support/story/run-story.ts";

const RETRY = { attempts: 3, pause: async () => undefined };
const SETTLED = second(3_600);
const UID = decodeJobUid("train-uid") ?? expect.fail();

/** A projection of `facts`, and its segments. */
async function projected(facts: readonly Fact[] = restartedJobSet(), factsInSegment = 4) {
  const stores = { jobs: new MemoryJobStore(), runs: new MemoryJobStore(), meta: new MemoryMetaStore() };
  const items = sealInSegments(facts, factsInSegment, SETTLED);
  expect((await projectSegments(stores, items, RETRY)).refold).toEqual([]);
  const [{ cluster } = expect.fail()] = items.map(segmentOf);
  return { stores, items, key: { cluster, jobUid: UID } };
}

type Projected = Awaited<ReturnType<typeof projected>>;

function segmentOf(item: LogItem) {
  const read = readLogItem(item);
  return read.outcome === "read" ? read.segment : expect.fail(read.reason);
}

async function reasonsOf({ stores, items }: Projected, settledAt = SETTLED): Promise<readonly string[]> {
  const { unapplied } = await compareSegments(stores, items.map(segmentOf), settledAt);
  return unapplied.map(({ reason }) => reason);
}

/** The run without a Job, as a writer leaves it that was killed after the Job. */
async function loseJob({ stores, key }: Projected): Promise<void> {
  const stored = await stores.runs.read(key);
  const without = withMember(recordOf(UID, stored), "train-worker-1-1", undefined);
  await stores.runs.write(key, encodedRun(without), stored?.version ?? 0);
}

describe("an audit of runs", () => {
  it("finds nothing in complete runs", async () => {
    expect(await reasonsOf(await projected([...restartedJobSet(), ...queuedJobSet()]))).toEqual([]);
  });

  it("finds the segments of a run that is not stored", async () => {
    const all = await projected();
    all.stores.runs.states.clear();
    expect(new Set(await reasonsOf(all))).toEqual(new Set(["The projection has no run train-uid."]));
  });

  it("finds the segments of a Job whose run lacks it, and projecting them again completes the run", async () => {
    const all = await projected();
    await loseJob(all);
    const { unapplied } = await compareSegments(all.stores, all.items.map(segmentOf), SETTLED);
    expect(new Set(unapplied.map(({ reason }) => reason))).toEqual(new Set(["It is missing from run train-uid."]));
    const keys = new Set(unapplied.map(({ key }) => key.sk));
    const again = all.items.filter(({ key }) => keys.has(key.sk));
    await projectSegments(all.stores, again, RETRY);
    expect(await reasonsOf(all)).toEqual([]);
  });

  it("leaves a Job that has facts since then to the audit of these", async () => {
    const all = await projected();
    await loseJob(all);
    expect(await reasonsOf(all, second(1))).toEqual([]);
  });

  it("finds the segments of a run that lacks a fact of its object", async () => {
    const all = await projected(queuedJobSet());
    const key = { ...all.key, jobUid: decodeJobUid("next-uid") ?? expect.fail() };
    const stored = await all.stores.runs.read(key);
    const { parents, ...record } = recordOf("next-uid", stored);
    const some = new Map([...parents].filter(([uid]) => uid === "next-uid"));
    const damaged = encodedRun({ ...record, parents: some });
    await all.stores.runs.write(key, damaged, stored?.version ?? 0);
    expect(await reasonsOf(all)).not.toEqual([]);
  });

  it("finds the segments of a run that cannot be decoded", async () => {
    const all = await projected();
    const stored = await all.stores.runs.read(all.key);
    await all.stores.runs.write(all.key, { bytes: Uint8Array.of(1) }, stored?.version ?? 0);
    expect(new Set(await reasonsOf(all))).toEqual(new Set(["The stored run train-uid cannot be decoded."]));
  });

  it("finds the segments of a TrainJob whose JobSet lacks its end, and projecting them again repairs it", async () => {
    const all = await projected(failedTrainJob(), 1);
    const stored = await all.stores.runs.read(all.key);
    const { parents, ...record } = recordOf(UID, stored);
    const without = new Map([...parents].filter(([uid]) => uid !== "fit-uid"));
    await all.stores.runs.write(all.key, encodedRun({ ...record, parents: without }), stored?.version ?? 0);
    const last = all.items.slice(-1);
    expect(await reasonsOf({ ...all, items: last })).toEqual(["It is missing from run train-uid."]);
    await projectSegments(all.stores, last, RETRY);
    expect(await reasonsOf(all)).toEqual([]);
  });

  it("does not miss the run of a JobSet that has expired before its TrainJob", async () => {
    const all = await projected(failedTrainJob(), 1);
    await all.stores.runs.remove(all.key);
    expect(await reasonsOf({ ...all, items: all.items.slice(-1) })).toEqual([]);
  });
});
