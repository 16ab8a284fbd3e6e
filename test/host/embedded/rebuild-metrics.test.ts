import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { EIGHT, endedJob, HOUR, startedJob } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { scrape } from "../../support/stores/metered-tracker.ts";

const DAY = 24 * HOUR;
let folder: string;
let path: string;
let tracker: Embedded;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: EIGHT + HOUR });
  folder = mkdtempSync(join(tmpdir(), "outlive-rebuilt-metrics-"));
  path = join(folder, "outlive.sqlite");
  tracker = openEmbedded(path);
  await tell(endedJob({ name: "removed", namespace: "bank", createdAt: EIGHT }), 0);
  await tell(endedJob({ name: "deleted", createdAt: EIGHT + DAY, succeeds: false }), 1);
  await tell(endedJob({ name: "expired", createdAt: EIGHT + 35 * DAY, succeeds: false }), 35);
  await tell(endedJob({ name: "ended", createdAt: EIGHT + 40 * DAY }), 40);
  await tell(startedJob({ name: "running", createdAt: EIGHT + 40 * DAY }), 40);
  await tracker.forget({ days: 4, now: EIGHT + 40 * DAY });
});
afterEach(() => {
  vi.useRealTimers();
  tracker.close();
  rmSync(folder, { recursive: true });
});

async function tell(facts: readonly Fact[], day: number): Promise<void> {
  async function* once() {
    yield facts;
  }
  vi.setSystemTime(EIGHT + day * DAY + HOUR);
  await tracker.importFacts(once(), { cluster: clusterNamed("east"), now: Date.now() });
  await tracker.sweep({ now: Date.now(), freshMillis: 0 });
}

/** Changes rows without their checksums, as a flipped bit does. Returns their number. */
function damage(sql: string): number {
  tracker.close();
  const sqlite = new DatabaseSync(path);
  const { changes } = sqlite.prepare(sql).run();
  sqlite.close();
  tracker = openEmbedded(path);
  return Number(changes);
}

/** The number of complete Jobs of namespace `shop`. */
async function complete(): Promise<number | undefined> {
  const found = Object.entries(await scrape(tracker)).find(
    ([name]) => name.startsWith("outlive_jobs_finished") && /shop.*Complete/.test(name),
  );
  return found?.[1];
}

describe("the metrics after a replay", () => {
  it("have Jobs that retention deleted, with and without a contribution of their own", async () => {
    const subjects = (await tracker.eraser.metrics?.subjects(clusterNamed("east"))) ?? [];
    expect([...subjects].sort()).toEqual(["deleted", "ended", "expired", "running"]);
    expect(Object.keys(await scrape(tracker)).join()).toContain("bank");
  });

  it.each([
    ["a contribution", "UPDATE metric_subjects SET amounts = replace(amounts, ':1', ':3') WHERE subject = 'ended'"],
    [
      "one of a running Job",
      "UPDATE metric_subjects SET amounts = replace(amounts, ':1', ':3') WHERE subject = 'running'",
    ],
    ["one under another uid", "UPDATE metric_subjects SET subject = 'endee' WHERE subject = 'ended'"],
    [
      "one of a deleted Job",
      "UPDATE metric_subjects SET amounts = replace(amounts, ':1', ':3') WHERE subject = 'expired'",
    ],
    [
      "one of removed Jobs",
      "UPDATE metric_subjects SET amounts = replace(amounts, ':1', ':3') WHERE subject LIKE 'removed%'",
    ],
    ["the numbers", "UPDATE metric_values SET value = value + 8"],
    ["what counters have shown", "UPDATE metric_values SET shown = shown + 8"],
    [
      "the series of a Job",
      `UPDATE metric_series SET labels = replace(labels, 'Complete', 'Complett') WHERE labels LIKE '%"shop"%'`,
    ],
    ["the kind of a series", `UPDATE metric_series SET kind = 'latest' WHERE labels LIKE '%"shop"%"Running"%'`],
  ])("are as before where %s is damaged", async (_, sql) => {
    const before = await scrape(tracker);
    expect(damage(sql)).toBeGreaterThan(0);
    expect(await tracker.findDamagedRows()).not.toEqual([]);
    await tracker.replay();
    expect(await tracker.findDamagedRows()).toEqual([]);
    expect(await scrape(tracker)).toEqual(before);
  });

  it("count each Job once when it changes afterwards", async () => {
    damage("UPDATE metric_subjects SET amounts = '' WHERE subject IN ('running', 'ended')");
    await tracker.replay();
    const before = await complete();
    await tell(endedJob({ name: "running", createdAt: EIGHT + 40 * DAY }), 40);
    expect([before, await complete()]).toEqual([1, 2]);
  });

  it("lack a damaged series to which only removed Jobs contributed, and verify reports it", async () => {
    damage(`UPDATE metric_series SET labels = replace(labels, 'bank', 'bonk')`);
    await tracker.replay();
    expect((await tracker.findDamagedRows()).map(({ table }) => table)).toContain("metric_series");
    expect(Object.keys(await scrape(tracker)).join()).not.toMatch(/bank|bonk/);
  });
});
