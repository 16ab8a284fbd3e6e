import { onCount } from "../../../functions/events/count-event.ts";
import { type DeliveredWrites, ofRuns, recordBatch } from "../../../src/count/record-batch.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { decodeClusterName, decodeJobUid } from "../../../src/job/model/ids.ts";
import { collectMetrics } from "../../../src/count/metrics/collect-metrics.ts";
import { renderMetrics } from "../../../src/count/metrics/render-metrics.ts";
import { AmountSums, seriesId } from "../../../src/count/metrics/sums/amount-sums.ts";
import { CountedMetrics } from "../../../src/count/counted-metrics.ts";
import { readParts } from "../../../src/count/metrics/sums/metric-parts.ts";
import { readMetricsRecord } from "../../../src/count/metrics/sums/metrics-record.ts";
import type { JobMetricsBy } from "../../../src/count/metrics/sums/publish-figures.ts";
import { storedContribution } from "../../../src/count/metrics/sums/stored-contribution.ts";
import type { MetaStore } from "../../../src/ports/meta.ts";
import type { ProjectionName, Projections } from "../../../src/ports/projections.ts";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { RecentFindings } from "../../../src/query/cron-jobs/recent-findings.ts";
import { rebuildProjection } from "../../../src/upkeep/replay/rebuild-projection.ts";
import { FunctionJournal } from "./function-journal.ts";
import { clusterOf } from "../story/listed-job.ts";
import { Process } from "../killed/killed-at.ts";
import { MemoryLog } from "../stores/memory-log.ts";
import { MemoryObjects } from "../stores/memory-objects.ts";
import { MemoryIdleJobs } from "../stores/memory-projections.ts";
import { MemoryMetaStore } from "../stores/memory-meta-store.ts";
import { tell } from "../stores/stores-with-facts.ts";
import { StreamedJobStore } from "../stores/streamed-job-store.ts";
import { SumsConflictError } from "../../../src/count/metrics/sums/sums-errors.ts";

const RETRY = { attempts: 3, pause: async () => {} };

interface StageRun {
  readonly meta?: MetaStore;
  /** The time that the function has. */
  readonly remainingMillis?: number;
}

/** A stage in memory with two projections, whose metrics a function counts. The test sets its clock. */
export class MetricStage {
  now = Date.parse("2026-01-02T12:00:00Z");
  readonly meta = new MemoryMetaStore();
  readonly log = new MemoryLog();
  readonly stores = { A: new StreamedJobStore(() => this.now), B: new StreamedJobStore(() => this.now) };
  readonly runs = { A: new StreamedJobStore(() => this.now), B: new StreamedJobStore(() => this.now) };
  readonly projections: Projections = { open: (name) => this.stores[name], runs: (name) => this.runs[name] };
  /** What the function remembers. A test replaces it for a new process. */
  recent = new RecentFindings();
  readonly #metrics: { readonly maxSeries: number; readonly by: JobMetricsBy };

  constructor(maxSeries = 10_000, by: JobMetricsBy = "none") {
    this.#metrics = { maxSeries, by };
  }

  tell(facts: readonly Fact[], cluster = "east"): Promise<void> {
    return tell({ log: this.log, meta: this.meta, projections: this.projections }, facts, { cluster });
  }

  /** A minute later, runs the function that counts. */
  async count({ meta = this.meta, remainingMillis = 300_000 }: StageRun = {}) {
    this.now += 60_000;
    const told = new FunctionJournal();
    told.remainingMillis = remainingMillis;
    const published = new Map<string, ReadonlyMap<string, number>>();
    const dependencies = {
      projections: this.projections,
      meta,
      metrics: this.#metrics,
      clock: { now: () => this.now },
      pause: async () => {},
      recent: this.recent,
      count: told.count,
      publishOf: (cluster: string, figures: ReadonlyMap<string, number>) => void published.set(cluster, figures),
      logger: told.logger,
    };
    await this.deliver(meta);
    const report = await onCount(dependencies, {}, told.context);
    published.set("stage", new Map(Object.entries(told.counts)));
    return { ...report, published };
  }

  /** Lambda delivers the writes of all tables. */
  async deliver(meta: MetaStore = this.meta): Promise<void> {
    for (const projection of ["A", "B"] as const) {
      const shown = (await readMetricsRecord(meta))?.value.of ?? (await readLivePointer(meta)).live;
      const ports = { meta, projection, metrics: { isShown: shown === projection } };
      const record = (writes: DeliveredWrites) => recordBatch(ports, writes, this.now);
      await repeated(() => this.stores[projection].deliver(record));
      await repeated(() => this.runs[projection].deliver((writes) => record(ofRuns(writes))));
    }
  }

  /** Counts in a process that is killed at its nth request to the records. The clock is then after its hold. */
  async countKilled(request: number): Promise<void> {
    await this.count({ meta: new Process(request).over<MetaStore>(this.meta) }).catch(() => {});
    this.now += 7 * 60_000;
  }

  replay() {
    const idle = (name: ProjectionName) => new MemoryIdleJobs(this.stores[name]);
    const idleRuns = (name: ProjectionName) => new MemoryIdleJobs(this.runs[name]);
    const spread = { objects: new MemoryObjects(), idle, idleRuns, isOutage: () => true };
    return rebuildProjection({ log: this.log, meta: this.meta, projections: this.projections, spread }, RETRY);
  }

  /** Removes every nth Job from the projection that answers, as its expiry does. */
  async expire(nth: number): Promise<void> {
    const { live } = await readLivePointer(this.meta);
    for (const [at, key] of this.#keysOf(live).entries()) if (at % nth === 0) await this.stores[live].remove(key);
  }

  async scrape(scope: Scope = "everything"): Promise<Readonly<Record<string, number>>> {
    const metrics = new CountedMetrics(this.meta, scope);
    const text = renderMetrics(await collectMetrics({ metrics, meta: this.meta }, scope, this.now), "prometheus");
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
    );
  }

  /** The stored sums that are not 0, by series and part; and the same for the Jobs of the projection now. */
  async sums(
    projection: ProjectionName,
    cluster = "east",
  ): Promise<{ readonly stored: object; readonly jobs: object }> {
    const parts = await readParts({ meta: this.meta, projection, cluster: clusterOf(cluster) });
    const stored = parts.flatMap(({ table }) =>
      table
        .stored()
        .flatMap(({ series, numbers }) =>
          [...numbers].map(([part, { sum }]) => [`${seriesId(series)} ${part}`, sum] as const),
        ),
    );
    const jobs = new AmountSums();
    for (const key of this.#keysOf(projection)) {
      const state = key.cluster === cluster ? await this.stores[projection].read(key) : undefined;
      const amounts = state && storedContribution(key.jobUid, state)?.amounts;
      for (const amount of amounts ?? []) jobs.add(amount);
    }
    const counted = jobs
      .changed()
      .flatMap(({ series, parts: numbers }) =>
        [...numbers].map(([part, sum]) => [`${seriesId(series)} ${part}`, sum] as const),
      );
    return { stored: withoutZeros(stored), jobs: withoutZeros(counted) };
  }

  #keysOf(name: ProjectionName) {
    return [...this.stores[name].states.keys()].map((id) => {
      const [cluster, jobUid] = id.split("|");
      const key = { cluster: decodeClusterName(cluster), jobUid: decodeJobUid(jobUid) };
      if (key.cluster === undefined || key.jobUid === undefined) throw new Error(`${id} is no key of a Job`);
      return { cluster: key.cluster, jobUid: key.jobUid };
    });
  }
}

/** Lambda delivers again what lost against an equal delivery: once in each shard at most, for each of two processes. */
async function repeated(deliver: () => Promise<void>, attempts = 10): Promise<void> {
  try {
    await deliver();
  } catch (cause) {
    if (!(cause instanceof SumsConflictError) || attempts <= 1) throw cause;
    await repeated(deliver, attempts - 1);
  }
}

function withoutZeros(numbers: readonly (readonly [string, number])[]): Readonly<Record<string, number>> {
  return Object.fromEntries(numbers.filter(([, number]) => number !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}
