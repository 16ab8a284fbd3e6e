import { beforeEach, describe, expect, it } from "vitest";
import { relabelSchedules } from "../../../../src/count/metrics/schedules/relabel-schedules.ts";
import {
  partKeyOf,
  readScheduleParts,
  writeSchedulePart,
} from "../../../../src/count/metrics/schedules/schedule-part.ts";
import { createSqliteMetricTables } from "../../../../src/adapters/sqlite/sqlite-metric-tables.ts";
import { openDatabase } from "../../../../src/adapters/sqlite/database.ts";
import { storedMetricEraser } from "../../../../src/count/metrics/stored-metric-eraser.ts";
import { createMetricEraser } from "../../../../src/count/metrics/sums/metric-eraser.ts";
import { cronJobKey } from "../../../../src/ports/meta-key.ts";
import type { Labels } from "../../../../src/ports/metric-store.ts";
import { cronJobRecord } from "../../../../src/ports/records/cron-job-record.ts";
import { writeRecord } from "../../../../src/ports/records/record-codec.ts";
import { noteCluster } from "../../../../src/projection/project-cluster.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { MemoryProjections } from "../../../support/stores/memory-projections.ts";
import { SumsConflictError } from "../../../../src/count/metrics/sums/sums-errors.ts";

const east = clusterNamed("east");
const counted = (uid: string, namespace: string, name: string) => ({
  uid,
  namespace,
  name,
  missed: 2,
  recent: [],
  until: 0,
  shown: 3,
  kinds: ["MissedRun"],
  open: ["MissedRun"],
});
const [SECRET, SUMMED, OTHER] = [
  counted("a1", "secret", "wombat"),
  { ...counted("a2", "secret", "bilby"), shownAs: { namespace: "<others>", cronJob: "<others>" } },
  counted("a3", "batch", "report"),
];
const change = ({ namespace = "", cronjob, ...others }: Labels): Labels | undefined =>
  namespace === "secret" ? { ...others, namespace: "erased:1", ...(cronjob && { cronjob: "erased:" }) } : undefined;

let meta: MemoryMetaStore;
beforeEach(async () => {
  meta = new MemoryMetaStore();
  await noteCluster(meta, east);
  const ended = [
    { namespace: "secret", cronJob: "dingo", count: 4 },
    { namespace: "batch", cronJob: "old", count: 1 },
  ];
  const part = { cronJobs: [SECRET, SUMMED, OTHER], ended };
  await writeSchedulePart(meta, { key: partKeyOf(east, "a1"), part, version: 0 });
});

const parts = async () => (await readScheduleParts(meta, east)).map(({ part }) => part);

describe("what CronJobs of an erased namespace have counted", () => {
  it("stays as numbers without their uids and names; other CronJobs stay", async () => {
    await relabelSchedules(meta, change);
    const [part] = await parts();
    expect(part?.cronJobs).toEqual([OTHER]);
    expect(part?.ended.toSorted((one, other) => one.count - other.count)).toEqual([
      { namespace: "batch", cronJob: "old", count: 1 },
      { namespace: "erased:1", kind: "MissedRun", count: 1 },
      { namespace: "<others>", kind: "MissedRun", count: 1 },
      { namespace: "<others>", cronJob: "<others>", count: 3 },
      { namespace: "erased:1", cronJob: "erased:", count: 7 },
    ]);
    expect(JSON.stringify(await parts())).not.toMatch(/secret|wombat|bilby|dingo|"a[12]"/);
  });

  it("stays with a CronJob that has a record: it was created after the erasure", async () => {
    const value = { cronJobUid: "a1" };
    await writeRecord(meta, cronJobRecord, { key: cronJobKey(east, "a1"), value, expected: 0 });
    await relabelSchedules(meta, change);
    expect((await parts())[0]?.cronJobs).toEqual([SECRET, OTHER]);
  });

  it("is not written again by a repetition, or if nothing is named", async () => {
    await relabelSchedules(meta, () => undefined);
    expect((await readScheduleParts(meta, east))[0]?.version).toBe(1);
    for (let time = 0; time < 2; time += 1) await relabelSchedules(meta, change);
    expect((await readScheduleParts(meta, east))[0]?.version).toBe(2);
  });

  it("is written after a conflict, unless conflicts do not end", async () => {
    const write = meta.write.bind(meta);
    let conflicts = Infinity;
    meta.write = async (kind, key, value) => {
      if (kind !== "cronCounts" || conflicts === 0) return write(kind, key, value);
      conflicts -= 1;
      return { outcome: "conflict" };
    };
    await expect(relabelSchedules(meta, change)).rejects.toThrow(SumsConflictError);
    conflicts = 1;
    await relabelSchedules(meta, change);
    expect(conflicts).toBe(0);
    expect(JSON.stringify(await parts())).not.toContain("secret");
  });

  it("is replaced by the erasers of metrics on AWS and in a database file", async () => {
    const database = openDatabase(":memory:");
    const deployed = { meta, projections: new MemoryProjections(), settle: async () => {} };
    for (const eraser of [createMetricEraser(deployed), storedMetricEraser(createSqliteMetricTables(database), meta)]) {
      await eraser.relabel(change);
      expect(JSON.stringify(await parts())).not.toContain("secret");
      await writeSchedulePart(meta, {
        key: partKeyOf(east, "b1"),
        part: { cronJobs: [{ ...SECRET, uid: "b1" }], ended: [] },
        version: 0,
      });
    }
    database.close();
  });
});
