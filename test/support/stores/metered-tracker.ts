import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Embedded, type EmbeddedOptions, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { collectMetrics } from "../../../src/count/metrics/collect-metrics.ts";
import { renderMetrics } from "../../../src/count/metrics/render-metrics.ts";
import { recountJobs } from "../../../src/count/metrics/recount-jobs.ts";
import type { ApiStores } from "../../../src/http/create-api.ts";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import { openDatabase } from "../../../src/adapters/sqlite/database.ts";
import { StoredMetrics } from "../../../src/count/metrics/stored-metrics.ts";
import { createSqliteMetricTables } from "../../../src/adapters/sqlite/sqlite-metric-tables.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { clusterNamed } from "../facts/names.ts";

/** Folders with one tracker each, until `clear`. */
export class MeteredTrackers {
  readonly #open: { readonly embedded: Embedded; readonly folder: string }[] = [];

  open(options: EmbeddedOptions = {}): Embedded {
    const folder = mkdtempSync(join(tmpdir(), "outlive-metrics-"));
    const embedded = openEmbedded(join(folder, "metrics.sqlite"), options);
    this.#open.push({ embedded, folder });
    return embedded;
  }

  clear(): void {
    for (const { embedded, folder } of this.#open.splice(0)) {
      embedded.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Imports facts, one import each, as segments of one Job. */
export async function tell(embedded: Embedded, facts: readonly Fact[], cluster = "east"): Promise<void> {
  await embedded.importFacts(inOneEvent(facts), { cluster: clusterNamed(cluster), now: 0 });
}

/** The numbers that a scrape shows, by name and labels. Buckets of histograms are left out. */
export async function scrape(
  { metrics, meta }: Embedded,
  scope: Scope = "everything",
  now: Instant = 0,
): Promise<Readonly<Record<string, number>>> {
  const text = renderMetrics(await collectMetrics({ metrics, meta }, scope, now), "prometheus");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#") && !line.includes("_bucket{"));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

/** Stores with metrics of their Jobs, in memory. */
export async function withMetrics(stores: ApiStores): Promise<ApiStores> {
  const { meta, projections } = stores;
  const database = openDatabase(":memory:");
  const metrics = new StoredMetrics(createSqliteMetricTables(database), { maxSeries: 1_000 });
  const { live } = await readLivePointer(meta);
  const [jobs, runs] = [projections.open(live), projections.runs(live)];
  await recountJobs({ jobs, runs, meta, metrics, atOnce: (work) => work() });
  return { ...stores, metrics };
}

/** The sum of a family over the series whose labels contain each of `parts`. */
export function total(shown: Readonly<Record<string, number>>, name: string, ...parts: readonly string[]): number {
  return Object.entries(shown)
    .filter(([series]) => series.startsWith(`${name}{`) && parts.every((part) => series.includes(part)))
    .reduce((sum, [, value]) => sum + value, 0);
}

async function* inOneEvent(facts: readonly Fact[]): AsyncGenerator<readonly Fact[]> {
  yield facts;
}
