import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Imported, type ImportPorts, importFacts } from "../../src/log/import-facts.ts";
import { canonical } from "../../src/job/model/canonical.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import { foldJobs, factsOf } from "../../src/job/model/job-record.ts";
import { projectSegments } from "../../src/projection/project-segments.ts";
import { readJob } from "../../src/projection/job-state/read-job.ts";
import { arbitraryFact } from "../support/facts/arbitrary-facts.ts";
import { collect } from "../support/running/collect.ts";
import { MemoryJobStore } from "../support/stores/memory-job-store.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { numberedFact } from "../support/stores/sealed-segments.ts";

const cluster = clusterNamed("east");
const options = { cluster, now: Date.UTC(2026, 10, 21, 12) };
const retry = { attempts: 5, pause: async () => undefined };

class Cut extends Error {}

/** Stores whose writes end after some of them: what was written stays, what comes after does not. */
function stores() {
  const log = new MemoryLog();
  const meta = new MemoryMetaStore();
  const jobs = new MemoryJobStore();
  const portsUntil = (writes: number): ImportPorts => {
    let left = writes;
    const spend = () => {
      left -= 1;
      if (left < 0) throw new Cut();
    };
    const cutLog = Object.assign(Object.create(log) as MemoryLog, {
      append: async (item: Parameters<MemoryLog["append"]>[0]) => (spend(), log.append(item)),
    });
    const cutJobs = Object.assign(Object.create(jobs) as MemoryJobStore, {
      read: (key: Parameters<MemoryJobStore["read"]>[0]) => jobs.read(key),
      write: async (...args: Parameters<MemoryJobStore["write"]>) => (spend(), jobs.write(...args)),
    });
    const project = async (items: Parameters<ImportPorts["project"]>[0]) => {
      const projected = await projectSegments({ jobs: cutJobs, meta }, items, retry);
      const cut = projected.refold.find(({ cause }) => cause instanceof Cut);
      if (cut !== undefined) throw cut.cause;
      return projected;
    };
    return { log: cutLog, meta, project, atOnce: (work) => work() };
  };
  return { log, meta, jobs, portsUntil };
}

const everything = Number.POSITIVE_INFINITY;
const story: fc.Arbitrary<readonly Fact[]> = fc.array(arbitraryFact, { maxLength: 80 });

describe("an import of a recording", () => {
  it("gives the same bytes if it is interrupted anywhere and repeated", async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.array(fc.nat(20), { maxLength: 3 }), async (facts, cuts) => {
        const never = stores();
        await importFacts(never.portsUntil(everything), [facts], options);
        const cut = stores();
        for (const writes of cuts) {
          await importFacts(cut.portsUntil(writes), [facts], options).catch((cause: unknown) => {
            if (!(cause instanceof Cut)) throw cause;
          });
        }
        await importFacts(cut.portsUntil(everything), [facts], options);
        expect(cut.jobs.contents()).toEqual(never.jobs.contents());
      }),
    );
  });

  it("omits repeated observations without losing facts", async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.integer({ min: 1, max: 9 }), async (facts, size) => {
        const { jobs, portsUntil } = stores();
        const batches = Array.from({ length: Math.ceil(facts.length / size) }, (_, batch) =>
          facts.slice(batch * size, (batch + 1) * size),
        );
        const imported = await importFacts(portsUntil(everything), [...batches, facts], options);
        expect(imported).toMatchObject({ facts: facts.length * 2, refused: [], refold: [] });
        for (const [jobUid, record] of foldJobs(facts)) {
          const view = await readJob(jobs, { cluster, jobUid });
          if (view === undefined) throw new Error(`Job ${jobUid} is missing.`);
          const pods = new Map((await collect(view.pods())).map((pod) => [pod.uid, pod]));
          expect(canonical(factsOf({ job: view.job, pods }))).toBe(canonical(factsOf(record)));
        }
      }),
    );
  });

  it("has only duplicates and writes no Job if it is repeated", async () => {
    const facts = fc.sample(arbitraryFact, { numRuns: 200, seed: 3 });
    const { jobs, portsUntil } = stores();
    const first = await importFacts(portsUntil(everything), [facts], options);
    const versions = [...jobs.states.values()].map(({ version }) => version);
    const second = await importFacts(portsUntil(everything), [facts], options);
    expect(second).toEqual({ ...first, appended: 0, duplicates: first.appended });
    expect([...jobs.states.values()].map(({ version }) => version)).toEqual(versions);
  });

  it("loses nothing if a part was imported before", async () => {
    const facts = fc.sample(arbitraryFact, { numRuns: 200, seed: 4 });
    const { jobs, portsUntil } = stores();
    await importFacts(portsUntil(everything), [facts.slice(0, 150)], options);
    const imported = await importFacts(portsUntil(everything), [facts], options);
    expect(imported).toMatchObject({ refused: [], refold: [] });
    for (const [jobUid, record] of foldJobs(facts)) {
      const view = await readJob(jobs, { cluster, jobUid });
      expect(canonical(view?.job)).toBe(canonical(record.job));
    }
  });

  it("counts the facts of the recording, and those that it sealed: none twice, and one for its end", async () => {
    const facts = factsOfJobs(3);
    const imported = await importFacts(stores().portsUntil(everything), [facts, facts], options);
    expect(imported).toMatchObject({ facts: 6, sealed: 4, appended: 1, duplicates: 0, refused: [] });
  });

  it("reports its progress after each transaction", async () => {
    const progress: number[] = [];
    const onProgress = ({ appended }: Imported): number => progress.push(appended);
    const few = { ...options, segmentJobs: 1, segmentsAtOnce: 2, onProgress };
    await importFacts(stores().portsUntil(everything), factsInSteps(20), few);
    expect(progress).toEqual([15, 17, 19, 20]);
  });

  it("writes 32 segments in one transaction by default", async () => {
    let transactions = 0;
    const ports: ImportPorts = {
      ...stores().portsUntil(everything),
      atOnce: (work) => {
        transactions += 1;
        return work();
      },
    };
    await importFacts(ports, factsInSteps(33), { ...options, segmentJobs: 1 });
    expect(transactions).toBe(2);
  });

  it("lists why the log refused a segment", async () => {
    const ports = stores().portsUntil(everything);
    const log = Object.assign(Object.create(ports.log) as MemoryLog, {
      append: async () => ({ outcome: "conflict", storedSha256: "other" }) as const,
    });
    const imported = await importFacts({ ...ports, log }, [factsOfJobs(1)], options);
    expect(imported).toMatchObject({ appended: 0, refused: [expect.stringContaining("(SHA-256 other)")] });
  });

  it.each([
    ["the same name where the first 16 facts are equal", 16, true],
    ["another name where the sixteenth differs", 15, false],
  ])("gives a session %s", async (_, equal, isSame) => {
    const facts = factsOfJobs(30);
    const others = [...facts.slice(0, equal), ...factsOfJobs(30, 1001).slice(equal)];
    expect((await sessionOf(facts)) === (await sessionOf(others))).toBe(isSame);
  });
});

/** One fact about each of so many Jobs. */
function factsOfJobs(count: number, first = 1): readonly Fact[] {
  return Array.from({ length: count }, (_, at) => numberedFact(first + at));
}

function factsInSteps(count: number): readonly (readonly Fact[])[] {
  return factsOfJobs(count).map((fact) => [fact]);
}

async function sessionOf(facts: readonly Fact[]): Promise<string | undefined> {
  const { log, portsUntil } = stores();
  await importFacts(portsUntil(everything), [facts], options);
  const { items } = await log.readDay({ cluster, day: "20261121" }, { limit: 1 });
  return items[0]?.key.sk.split("#")[1];
}
