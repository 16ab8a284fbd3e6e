import { describe, expect, it } from "vitest";
import { createLocalQueue } from "../../src/log/local-queue.ts";
import { projectSegments } from "../../src/projection/project-segments.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { MemoryJobStore } from "../support/stores/memory-job-store.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { clusterNamed, jobUid } from "../support/facts/names.ts";
import { Story } from "../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const cluster = clusterNamed("east");

function open({ isBroken = false } = {}) {
  const log = new MemoryLog();
  const meta = new MemoryMetaStore();
  const jobs = new MemoryJobStore();
  const unfolded: unknown[] = [];
  let works = isBroken ? 0 : Number.POSITIVE_INFINITY;
  const queue = createLocalQueue(
    {
      log,
      meta,
      project: (items) => projectSegments({ jobs, meta }, items, { attempts: 3, pause: async () => undefined }),
      atOnce: async (work) => {
        if (works === 0) throw new Error("The disk is full.");
        works -= 1;
        await work();
      },
    },
    { now: () => NOON, onUnfolded: (causes) => unfolded.push(...causes) },
  );
  const breakAfter = (transactions: number) => (works = transactions);
  return { queue, jobs, log, unfolded, breakAfter };
}

function segment(sealedAt = NOON) {
  const story = new Story("render");
  story.jobCreated();
  const { bytes } = sealSegment({ cluster, sealedAt, session: "0123456789abcdef", sequence: 0, facts: story.facts });
  return { cluster, bytes };
}

describe("a tracker in the same process", () => {
  it("accepts a segment after it was appended and projected", async () => {
    const { queue, jobs, log } = open();
    expect(await queue.send([segment()])).toEqual([{ outcome: "accepted" }]);
    expect((await log.readDay({ cluster, day: "20261121" }, { limit: 10 })).items).toHaveLength(1);
    expect(await jobs.read({ cluster, jobUid: jobUid("render") })).toMatchObject({ version: 1 });
  });

  it("accepts duplicates and refuses invalid segments, each separately", async () => {
    const { queue } = open();
    const tooOld = segment(NOON - 16 * 86_400_000);
    const outcomes = await queue.send([segment(), tooOld, segment()]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["accepted", "refused", "accepted"]);
  });

  it("is unreachable with the reason if the database fails", async () => {
    const { queue } = open({ isBroken: true });
    expect(await queue.send([segment(), segment()])).toEqual([
      { outcome: "unreachable", reason: "The disk is full." },
      { outcome: "unreachable", reason: "The disk is full." },
    ]);
  });

  it("lets other work have its turn while it takes many segments", async () => {
    const { queue } = open();
    const segments = Array.from({ length: 200 }, (_, index) => segment(NOON - index));
    const order: string[] = [];
    const sent = queue.send(segments).then(() => order.push("sent"));
    setImmediate(() => order.push("other"));
    await sent;
    expect(order).toEqual(["other", "sent"]);
  });

  it("reports why a segment was not projected completely, and nothing else", async () => {
    const { queue, jobs, unfolded } = open();
    await queue.send([segment()]);
    expect(unfolded).toEqual([]);
    const cause = new Error("The page is missing.");
    jobs.read = () => Promise.reject(cause);
    expect(await queue.send([segment(NOON - 1)])).toEqual([{ outcome: "accepted" }]);
    expect(unfolded).toEqual([cause]);
  });

  it("writes a Job once for all segments of a call, in one transaction", async () => {
    const { queue, jobs, breakAfter } = open();
    breakAfter(1);
    const outcomes = await queue.send([segment(), segment(NOON - 1), segment(NOON - 2)]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["accepted", "accepted", "accepted"]);
    expect(await jobs.read({ cluster, jobUid: jobUid("render") })).toMatchObject({ version: 1 });
  });
});
