import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobFact } from "../../src/job/model/fact.ts";
import type { LogItem, LogKey } from "../../src/ports/log.ts";
import { projectLive } from "../../src/projection/project-segments.ts";
import type { Retry } from "../../src/ports/concurrency/retry.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { largeJobFacts, largeJobUid, podBeginFacts, podEndFacts } from "../support/facts/large-job-facts.ts";
import { MemoryJobStore } from "../support/stores/memory-job-store.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { clusterNamed } from "../support/facts/names.ts";

const cluster = clusterNamed("east");
const NOON = Date.UTC(2026, 10, 21, 12);
const RETRY: Retry = { attempts: 20, pause: async () => undefined };

function sha256(number: number): string {
  return createHash("sha256").update(`${number}`).digest("hex");
}

/** A Job with many labels of 32 random bytes each: it is large without many Pods. */
function beginningOf(count: number): readonly JobFact[] {
  const labels = Object.fromEntries(Array.from({ length: count }, (_, number) => [`l${number}`, sha256(number)]));
  return largeJobFacts({ indexed: true, completions: 10_000 }).map((fact) =>
    fact.kind === "JobCreated" ? { ...fact, labels } : fact,
  );
}

/** A segment with the facts of some Pods, sealed this many milliseconds after noon. */
function segmentOf(
  sequence: number,
  pods: readonly number[],
  { sealedAfter = sequence * 250, labels = 300 } = {},
): LogItem {
  const facts = [
    ...(sequence === 0 ? beginningOf(labels) : []),
    ...pods.flatMap((number) => [...podBeginFacts(number, number), ...podEndFacts(number)]),
  ];
  return sealSegment({ cluster, sealedAt: NOON + sealedAfter, session: "0123456789abcdef", sequence, facts });
}

/** A Job that is large from its first segment on, and what comes after it, each a quarter of a second later. */
const BEGINNING = segmentOf(0, [0]);
const later = (sequence: number, sealedAfter?: number) =>
  segmentOf(sequence, [sequence], sealedAfter === undefined ? {} : { sealedAfter });

class Tracker {
  readonly log = new MemoryLog();
  readonly meta = new MemoryMetaStore();
  readonly jobs = new MemoryJobStore();
  readonly runs = new MemoryJobStore();
  readonly calls: LogKey[] = [];
  readonly #projections = { open: () => this.jobs, runs: () => this.runs, clear: async () => "empty" as const };

  /** As the function that reads the log's stream calls it. */
  async stream(items: readonly LogItem[], retry = RETRY) {
    for (const item of items) await this.log.append(item);
    const calls = { send: async (keys: readonly LogKey[]) => void this.calls.push(...keys) };
    const ports = {
      projections: this.#projections,
      meta: this.meta,
      coalescing: { kind: "note", refoldQueue: calls },
    } as const;
    return projectLive(ports, items, retry);
  }

  /** As the function that handles the refold queue calls it. */
  async answer(keys: readonly LogKey[] = this.calls.splice(0)) {
    const items = await Promise.all(keys.map((key) => this.log.read(key)));
    const ports = {
      projections: this.#projections,
      meta: this.meta,
      coalescing: { kind: "collect", log: this.log },
    } as const;
    const found = items.filter((item) => item !== undefined);
    return projectLive(ports, found, RETRY);
  }

  get version(): number {
    return this.jobs.states.get(`east|${largeJobUid}`)?.version ?? 0;
  }

  get contents(): readonly string[] {
    return this.jobs.contents();
  }
}

async function folded(...items: readonly LogItem[]): Promise<Tracker> {
  const tracker = new Tracker();
  await projectLive(
    { projections: { open: () => tracker.jobs, runs: () => tracker.runs }, meta: tracker.meta },
    items,
    RETRY,
  );
  return tracker;
}

describe("what comes for a large Job within a second of what was folded last", () => {
  it("is noted, and folded together when it is called for", async () => {
    const tracker = new Tracker();
    await tracker.stream([BEGINNING]);
    const news = [later(1), later(2), later(3)];
    for (const item of news) expect(await tracker.stream([item])).toMatchObject({ written: 0, noted: 1, refold: [] });
    expect(tracker.version).toBe(1);
    expect(tracker.calls).toEqual([news[0]?.key]);
    expect(await tracker.answer()).toMatchObject({ written: 1 });
    expect(tracker.version).toBe(2);
    expect(tracker.contents).toEqual((await folded(BEGINNING, ...news)).contents);
  });

  it("is noted once when it comes twice", async () => {
    const tracker = new Tracker();
    await tracker.stream([BEGINNING]);
    for (const item of [later(1), later(1), later(1)]) await tracker.stream([item]);
    expect(tracker.calls).toHaveLength(1);
    await tracker.answer();
    expect(await tracker.stream([later(1)])).toMatchObject({ unchanged: 1 });
  });

  it("is called for again where the call was not answered for ten seconds", async () => {
    const tracker = new Tracker();
    await tracker.stream([BEGINNING]);
    await tracker.stream([later(1)]);
    await tracker.stream([later(2, 5_000)]);
    expect(tracker.calls).toHaveLength(1);
    await tracker.stream([later(3, 11_000)]);
    expect(tracker.calls).toEqual([later(1).key, later(3, 11_000).key]);
  });

  it("is projected again if the refold message came before its note", async () => {
    const tracker = new Tracker();
    await tracker.stream([BEGINNING]);
    const { meta } = tracker;
    const write = meta.write.bind(meta);
    // The note is written slowly, and the refold request is handled before it ends.
    meta.write = async (...args) => {
      meta.write = write;
      await tracker.answer();
      return write(...args);
    };
    await tracker.stream([later(1)]);
    await tracker.stream([later(2)]);
    expect(tracker.calls).toEqual([later(2).key]);
    await tracker.answer();
    expect(tracker.contents).toEqual((await folded(BEGINNING, later(1), later(2))).contents);
  });

  it("is folded with the rest where it is noted while the call is answered", async () => {
    const tracker = new Tracker();
    await tracker.stream([BEGINNING]);
    await tracker.stream([later(1)]);
    const { jobs } = tracker;
    const write = jobs.write.bind(jobs);
    jobs.write = async (...args) => {
      jobs.write = write;
      await tracker.stream([later(2)]);
      return write(...args);
    };
    await tracker.answer();
    expect(tracker.calls).toEqual([]);
    expect(tracker.contents).toEqual((await folded(BEGINNING, later(1), later(2))).contents);
  });

  it("comes again by the stream where the note could not be written", async () => {
    const tracker = new Tracker();
    await tracker.stream([BEGINNING]);
    const { meta } = tracker;
    const write = meta.write.bind(meta);
    meta.write = async () => {
      throw new Error("The table is throttled.");
    };
    expect((await tracker.stream([later(1)])).refold).toMatchObject([{ key: later(1).key }]);
    meta.write = write;
    await tracker.answer([later(1).key]);
    expect(tracker.contents).toEqual((await folded(BEGINNING, later(1))).contents);
  });
});

describe("facts of a large Job that arrive later", () => {
  it.each([
    ["a second after it", 1_000],
    ["an hour before it", -3_600_000],
  ])("are folded at once: %s", async (_, sealedAfter) => {
    const tracker = new Tracker();
    await tracker.stream([BEGINNING]);
    expect(await tracker.stream([later(1, sealedAfter)])).toMatchObject({ written: 1, noted: 0 });
    expect(tracker.calls).toEqual([]);
  });
});

describe("facts of a small Job", () => {
  it("are folded at once", async () => {
    const tracker = new Tracker();
    await tracker.stream([segmentOf(0, [0], { labels: 0 })]);
    expect(await tracker.stream([later(1)])).toMatchObject({ written: 1, noted: 0 });
  });
});

describe("a large Job whose segments are noted, queued and collected", () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant("stream" as const),
        lanes: fc.array(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }), { maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant("answer" as const), twice: fc.boolean() }),
    ),
    { maxLength: 12 },
  );

  it("has the bytes of one fold, for any order, lanes and repeats", async () => {
    const all = Array.from({ length: 12 }, (_, index) => later(index + 1));
    const whole = await folded(BEGINNING, ...all);
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const tracker = new Tracker();
        await tracker.stream([BEGINNING]);
        for (const step of taken) {
          if (step.kind === "stream") {
            const lanes = step.lanes.map((lane) => [...new Set(lane)].flatMap((number) => all[number - 1] ?? []));
            await Promise.all(lanes.map((items) => tracker.stream(items)));
          } else {
            const keys = tracker.calls.splice(0);
            await Promise.all([tracker.answer(keys), ...(step.twice ? [tracker.answer(keys)] : [])]);
          }
        }
        await tracker.stream(all);
        await tracker.answer();
        expect(tracker.calls).toEqual([]);
        expect(tracker.contents).toEqual(whole.contents);
      }),
      { numRuns: 15 },
    );
  });
});
