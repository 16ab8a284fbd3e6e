import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { logWithArchive } from "../../../src/archive/read/log-with-archive.ts";
import { verifyProgress } from "../../../src/archive/verify/verify-progress.ts";
import { createApi } from "../../../src/http/create-api.ts";
import type { Log, LogItem } from "../../../src/ports/log.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { logHours, readWholeHour, readWholeLog } from "../../../src/log/read-log.ts";
import { auditLog } from "../../../src/upkeep/replay/audit-projection.ts";
import { listUnits } from "../../../src/upkeep/replay/units/list-units.ts";
import { readUnit } from "../../../src/upkeep/replay/units/read-unit.ts";
import { verifyProjection } from "../../../src/upkeep/replay/verify-projection.ts";
import { EIGHT, endedJob, HOUR, jobDeleted, MINUTE } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryPackedLog } from "../../support/stores/memory-packs.ts";
import { storesOver } from "../../support/stores/stores-with-facts.ts";
import { API_PARTS } from "../../../src/host/optional/api-parts.ts";

const DAY = 24 * HOUR;
/** The log may have begun to expire. */
const LATER = EIGHT + 8 * DAY;
const RETRY = { attempts: 1, pause: async () => {} };
const CLUSTERS = ["east", "west", "north", "south"];
let scene: PackedScene;

beforeEach(async () => {
  scene = new PackedScene();
  for (const [n, cluster] of CLUSTERS.entries()) {
    const at = EIGHT + n * MINUTE;
    const told = await scene.tell(
      endedJob({ name: `job-${n}`, createdAt: EIGHT }),
      at + 5 * MINUTE,
      at + 5 * MINUTE,
      cluster,
    );
    // Delivered again, in another pack.
    await scene.arrive([told], at + 30 * MINUTE);
    // Sealed before the hour in which it arrived.
    await scene.tell(
      [jobDeleted({ name: `job-${n}` }, at + 20 * MINUTE)],
      at + 20 * MINUTE,
      at + HOUR + MINUTE,
      cluster,
    );
  }
  await scene.archive(EIGHT + 3 * HOUR);
  await verifyProgress({ store: scene.store, meta: scene.ports.meta });
});

function opened(log: Log, now = LATER): Log {
  return logWithArchive({ log, meta: scene.ports.meta, store: scene.store }, () => now);
}

async function segmentsIn(log: Log): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const items of readWholeLog({ log, meta: scene.ports.meta })) {
    for (const item of items) found.add(nameOf(item));
  }
  return [...found].sort();
}

function nameOf({ key: { pk, sk }, sha256, bytes }: LogItem): string {
  return `${pk} ${sk} ${sha256} ${Buffer.from(bytes).toString("base64")}`;
}

/** The log after its packs have expired, except for every `every`th. */
function expired(every = Infinity): MemoryPackedLog {
  const log = new MemoryPackedLog();
  for (const [n, pack] of scene.ports.log.allPacks.entries()) if (n % every === every - 1) void log.packs.append(pack);
  return log;
}

describe("a log whose packs have expired", () => {
  it.each([
    ["all of them", Infinity],
    ["some of them", 3],
  ])("has every segment from its archive: %s", async (_, every) => {
    const whole = await segmentsIn(scene.ports.log);
    expect(whole).toHaveLength(2 * CLUSTERS.length);
    expect(await segmentsIn(opened(expired(every)))).toEqual(whole);
  });

  it("is read as it is while its hours are younger than the least that a log is kept", async () => {
    expect(await segmentsIn(opened(expired(), EIGHT + 6 * DAY))).toEqual([]);
    expect(await segmentsIn(opened(scene.ports.log, EIGHT + 6 * DAY))).toHaveLength(2 * CLUSTERS.length);
  });

  it("is read as it is where its archive is not verified", async () => {
    await scene.tell(endedJob({ name: "late", createdAt: EIGHT }), EIGHT + 5 * HOUR);
    const log = opened(scene.ports.log);
    expect(await segmentsIn(log)).toEqual(await segmentsIn(scene.ports.log));
    await scene.archive(EIGHT + 7 * HOUR);
    expect(await segmentsIn(log)).toEqual(await segmentsIn(scene.ports.log));
  });

  it("is read as it is before its archive begins: hours of another archive may have been restored", async () => {
    await scene.tell(endedJob({ name: "restored", createdAt: EIGHT - 5 * DAY }), EIGHT - 5 * DAY);
    const whole = await segmentsIn(scene.ports.log);
    expect(whole).toHaveLength(2 * CLUSTERS.length + 1);
    expect(await segmentsIn(opened(scene.ports.log))).toEqual(whole);
  });

  it.each([
    ["all manifests", Infinity, "it is missing"],
    ["its oldest manifest", 1, "it is the oldest manifest, and names a previous one"],
  ])("is reported as damaged if its archive lost %s", async (_, count, expected) => {
    const keys: string[] = [];
    for await (const { key } of scene.store.list("manifest/")) keys.push(key);
    for (const key of keys.slice(0, count)) await scene.store.remove(key);
    await expect(segmentsIn(opened(expired()))).rejects.toThrow(expected);
  });

  it("has its single segments, under the keys that states know", async () => {
    const log = opened(expired());
    for (const { items } of scene.ports.log.allPacks) {
      for (const item of items) {
        const found = await log.read(item.key);
        expect(found?.key).toEqual(item.key);
        expect(found && nameOf(found)).toBe(nameOf(item));
      }
    }
  });

  it("is rebuilt to the same answers", async () => {
    const jobs = new MemoryJobStore();
    const { meta } = scene.ports;
    const log = opened(expired());
    for await (const items of readWholeLog({ log, meta })) await projectSegments({ jobs, meta }, items, RETRY);
    const answers = async (ports: Pick<typeof scene.ports, "jobs"> & { readonly log: Log }) => {
      const api = createApi({
        ...API_PARTS,
        stores: storesOver({ meta, ...ports }),
        access: { kind: "inProcess" },
        now: () => LATER,
        version: "0.0.0",
        onError: (error) => {
          throw error;
        },
      });
      const paths = CLUSTERS.flatMap((cluster, n) =>
        ["", "/why", "/pods", "/history"].map((part) => `/v1/clusters/${cluster}/namespaces/shop/jobs/job-${n}${part}`),
      );
      return Promise.all(paths.map(async (path) => (await api.request(path)).text()));
    };
    const before = await answers(scene.ports);
    expect(before.every((text) => text.includes("job-"))).toBe(true);
    expect(await answers({ jobs, log })).toEqual(before);
  });

  it("agrees with its projection", async () => {
    const { jobs, meta } = scene.ports;
    expect(await verifyProjection({ jobs, meta, log: opened(expired()) })).toMatchObject({
      jobs: CLUSTERS.length,
      mismatches: [],
      unreadable: [],
    });
  });

  it("has nothing that an audit misses, wherever the audit continues", async () => {
    const { jobs, meta } = scene.ports;
    const ports = {
      jobs,
      runs: new MemoryJobStore(),
      meta,
      log: opened(expired()),
      onUnapplied: async (found: readonly unknown[]) => expect(found).toEqual([]),
      onConflicts: async (found: readonly unknown[]) => expect(found).toEqual([]),
    };
    await auditLog({ ...ports, log: scene.ports.log }, { now: EIGHT + HOUR });
    const audited = await auditLog(ports, { now: LATER });
    expect(audited).toMatchObject({ unapplied: 0, conflicts: 0, isBehind: false });
    expect(audited.segments).toBeGreaterThan(0);
  });

  it("is found missing by an audit where the projection lacks a Job", async () => {
    const { meta } = scene.ports;
    const found: unknown[] = [];
    const ports = {
      jobs: new MemoryJobStore(),
      runs: new MemoryJobStore(),
      meta,
      log: opened(expired()),
      onUnapplied: async (some: readonly unknown[]) => void found.push(...some),
      onConflicts: async () => {},
    };
    await auditLog({ ...ports, jobs: scene.ports.jobs, log: scene.ports.log }, { now: EIGHT + HOUR });
    await auditLog(ports, { now: LATER });
    expect(found).not.toEqual([]);
  });

  it.each([1, 1_000])("has every segment in its units for a rebuild, with at most %i units", async (most) => {
    const { meta, log: whole } = scene.ports;
    const log = opened(expired());
    const found = new Set<string>();
    for (const unit of await listUnits(meta, most)) {
      for await (const { items } of readUnit({ log, meta }, unit)) for (const { sha256 } of items) found.add(sha256);
    }
    expect(found).toEqual(new Set(whole.allPacks.flatMap(({ items }) => items.map(({ sha256 }) => sha256))));
  });

  it("is continued at any pack of the log, in pages of any size, without losing a segment", async () => {
    const { meta, log: whole } = scene.ports;
    const places = whole.allPacks.map(({ sk }) => sk);
    const log = opened(expired());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("", ...places), async (after) => {
        const found = new Set<string>();
        for await (const hour of logHours(meta)) {
          for await (const { items } of readWholeHour(log, hour, { after })) {
            for (const item of items) found.add(item.sha256);
          }
        }
        const wanted = whole.allPacks.filter(({ sk }) => sk > after).flatMap(({ items }) => items);
        // A segment that was delivered twice is archived in the hour of its first arrival.
        const firsts = wanted.filter((item) => !isDeliveredAgain(item));
        for (const { sha256 } of firsts) expect(found).toContain(sha256);
      }),
    );
  });

  it("has pages without repetition", async () => {
    const log = opened(expired());
    for await (const hour of logHours(scene.ports.meta)) {
      const sks: string[] = [];
      let after: string | undefined;
      do {
        const page = await log.packs?.readHour(hour, { limit: 1, ...(after !== undefined && { after }) });
        sks.push(...(page?.packs ?? []).map(({ sk }) => sk));
        after = page?.next;
      } while (after !== undefined);
      expect(sks).toEqual([...new Set(sks)].sort());
    }
  });
});

function isDeliveredAgain({ key, sha256 }: LogItem): boolean {
  const copies = scene.ports.log.allPacks.flatMap(({ items }) => items).filter((item) => item.sha256 === sha256);
  return copies.some((copy) => (copy.key.pack?.arrivedAt ?? 0) < (key.pack?.arrivedAt ?? 0));
}
