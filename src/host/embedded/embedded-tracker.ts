import { type Imported, importFacts, type ImportOptions, type ImportPorts } from "../../log/import-facts.ts";
import { createLocalQueue, type LocalQueueOptions } from "../../log/local-queue.ts";
import type { Fact } from "../../job/model/fact.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { Log } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { SegmentQueue } from "../../ports/segment-queue.ts";
import type { RowObserver, RunObserver } from "../../projection/row-observer.ts";
import { countRows, countRuns } from "../../count/metrics/count-rows.ts";
import { countSchedules, type ScheduleRun } from "../../count/metrics/schedules/count-schedules.ts";
import { RecentFindings } from "../../query/cron-jobs/recent-findings.ts";
import { type RecountPorts, recountJobs } from "../../count/metrics/recount-jobs.ts";
import { storedMetricEraser } from "../../count/metrics/stored-metric-eraser.ts";
import { StoredMetrics } from "../../count/metrics/stored-metrics.ts";
import { STANDARD_MAX_SERIES } from "../../ports/deployment/limits.ts";
import type { MetricStore } from "../../ports/metric-store.ts";
import type { ClearableProjections, Projections } from "../../ports/projections.ts";
import type { MetricTables } from "../../ports/sums/metric-tables.ts";
import type { LogLinks } from "../../query/log-links/log-links.ts";
import { createNoticeEraser } from "../../notify/outbox/notice-eraser.ts";
import type { NotifySetup } from "../../notify/outbox/notify-of-job.ts";
import { watchedProjections, type WatchedStores, type WatchTurn } from "./watched-projections.ts";
import type { Eraser } from "../../ports/erasing/eraser.ts";
import type { DatabaseCopy } from "../../ports/files/database-copy.ts";
import type { DueSubjects } from "../../ports/notices.ts";
import type { JobChange } from "../../explain/answer-document.ts";
import type { AppendChanges } from "../../projection/changes/change-announcer.ts";
import { ChangeFeed } from "../../projection/changes/change-feed.ts";
import { liveJobs, readLivePointer } from "../../projection/live-projection.ts";
import { jobObjectOf } from "../../projection/job-state/job-state.ts";
import { joinSeriesRuns, type SeriesRun, seriesRunsOf } from "../../projection/series/series-runs.ts";
import { projectLive } from "../../projection/project-segments.ts";
import { HOLD_SOURCES } from "../optional/hold-sources.ts";
import { otherThan } from "../../projection/projector.ts";
import { exponentialBackOff } from "../../ports/concurrency/back-off.ts";
import { type Retry, retryWith } from "../../ports/concurrency/retry.ts";
import { type RebuildOptions, type Rebuilt, rebuildProjection } from "../../upkeep/replay/rebuild-projection.ts";
import type { ReplayPorts } from "../../upkeep/replay/replay-run.ts";
import { type Switched, switchProjection } from "../../upkeep/replay/switch-projection.ts";
import { type Verified, type VerifyOptions, verifyProjection } from "../../upkeep/replay/verify-projection.ts";
import { type Swept, type SweepRun, settleRows, sweepJobs } from "../../upkeep/sweep/sweep-jobs.ts";
import { backUp } from "../../adapters/sqlite/backup.ts";
import { streamCopy } from "../../adapters/sqlite/stream-copy.ts";
import { findDamage, findDamagedRows } from "../../adapters/sqlite/integrity.ts";
import type { DamagedRow } from "../../adapters/sqlite/row-checksums.ts";
import { failIfLogIsDamaged } from "./damaged-log.ts";
import { discardDamagedJobs, discardDamagedRecords } from "./damaged-rows.ts";
import { rebuildMetrics } from "./rebuild-metrics.ts";
import { rebuildSeries } from "./rebuild-series.ts";
import { type Database, openDatabase } from "../../adapters/sqlite/database.ts";
import type { Deleted } from "../../adapters/sqlite/apply-retention.ts";
import { forgetExpired, type ForgetOptions } from "./forget-expired.ts";
import { createSqliteDueSubjects } from "../../adapters/sqlite/sqlite-due-subjects.ts";
import { createSqliteEraser } from "../../adapters/sqlite/sqlite-eraser.ts";
import { createSqliteLog } from "../../adapters/sqlite/sqlite-log.ts";
import { createSqliteMetricTables } from "../../adapters/sqlite/sqlite-metric-tables.ts";
import { createSqliteMetaStore } from "../../adapters/sqlite/sqlite-meta-store.ts";
import { createSqliteProjections } from "../../adapters/sqlite/sqlite-projections.ts";
import { createWriteProbe } from "../../adapters/sqlite/write-problem.ts";

/** A complete tracker on one database file. */
export interface Embedded {
  readonly log: Log;
  readonly meta: MetaStore;
  readonly projections: ClearableProjections;
  readonly metrics: MetricStore;
  readonly retry: Retry;
  /** Where messages of notifications wait. */
  readonly dueSubjects: DueSubjects;
  /** Removes data from the file: for erasures only. */
  readonly eraser: Eraser;
  /** Where Pods' logs can be read. */
  readonly logLinks?: LogLinks;
  /** Imports the facts of recordings, one event at a time, as a tracker ingests segments. */
  importFacts(facts: AsyncIterable<readonly Fact[]>, options: ImportOptions): Promise<Imported>;
  /** A queue whose segments this tracker ingests. Only they and the sweep cause notifications. */
  queue(options: LocalQueueOptions): SegmentQueue;
  /** Rebuilds the standby projection and then activates it. Throws an error if the log is damaged. */
  replay(options?: RebuildOptions): Promise<Rebuilt>;
  /** Lets the other projection of a trial answer. */
  switchProjection(): Promise<Switched>;
  /**
   * Derives the list rows of live Jobs again, as of now or of the last data from their cluster, because some findings
   * depend only on time.
   */
  sweep(run: Omit<SweepRun, "rows">): Promise<Swept>;
  /** Counts the missed runs since the last call, and the findings of CronJobs, in the metrics. */
  countCronJobs(now: Instant, options?: Pick<ScheduleRun, "again">): Promise<void>;
  /** Adds Jobs to the metrics that were stored before metrics existed. Returns their number. */
  countEarlierJobs(): Promise<number>;
  /** Adds notifications about what no fact reports: missed runs, and silent clusters. */
  watchSchedules(turn?: WatchTurn): Promise<void>;
  /** Copies a consistent state of the file to a new file. */
  backUp(target: string): Promise<void>;
  /** The same as a stream. Not for a database in memory. */
  streamCopy(): Promise<DatabaseCopy>;
  /** Compares what answers read with the log (src/upkeep/replay/verify-projection.ts). */
  verify(options?: VerifyOptions): Promise<Verified>;
  /** Deletes Jobs that have expired, and their part of the log. */
  forget(options: ForgetOptions): Promise<Deleted>;
  /** The sizes of the database's files. */
  readonly files: () => Database["files"];
  /** Why nothing can be written now; `undefined` if writing works. Checked at most every few seconds. */
  readonly writeProblem: () => Promise<string | undefined>;
  /** Problems that SQLite finds in the file; none if it is sound. Reads the whole file. */
  readonly findDamage: () => Promise<readonly string[]>;
  /** Rows whose checksum is wrong. */
  readonly findDamagedRows: () => Promise<readonly DamagedRow[]>;
  close(): void;
}

export interface EmbeddedOptions {
  /** How long to wait for another process that writes, in milliseconds. @default 5000 */
  readonly busyMillis?: number;
  /** How many series of metrics have their own labels. @default 10,000 */
  readonly maxSeries?: number;
  /** The rules by which changes of Jobs cause notifications. @default none */
  readonly notify?: NotifySetup;
  /** Where Pods' logs can be read, for answers and notifications. @default no links to logs */
  readonly logLinks?: LogLinks;
}

/** How long imports and replays wait for another writer. Two of them take turns of some seconds each. */
export const LONG_BUSY_MILLIS = 60_000;

/** Retries a write that lost against another process, which finishes with a Job within milliseconds. */
const RETRY: Retry = retryWith(12, exponentialBackOff({ firstMillis: 4, maxMillis: 4_096, jitter: "full" }));

/** Opens the database at `path`, and creates it if it does not exist. */
export function openEmbedded(path: string, { busyMillis, ...options }: EmbeddedOptions = {}): Embedded {
  return trackerOn(openDatabase(path, { ...(busyMillis !== undefined && { busyMillis }) }), options);
}

/** The tracker on a database that is open. */
export function trackerOn(database: Database, options: Omit<EmbeddedOptions, "busyMillis"> = {}): Embedded {
  const { watched, metricTables, ...stores } = openStores(database, options);
  const { log, meta, projections, metrics } = stores;
  const observer = countRows(metrics);
  const project = announcing(meta, { observer, runObserver: countRuns(metrics) });
  const atOnce = (work: () => Promise<void>) => database.inTransaction(work);
  const sweepWith = async (of: Projections, run: Omit<SweepRun, "rows">) =>
    sweepJobs({ jobs: await liveJobs(of, meta), meta, observer, atOnce }, { ...run, rows: Infinity });
  const schedules = {
    maxSeries: options.maxSeries ?? STANDARD_MAX_SERIES,
    recent: new RecentFindings(),
    everyMillis: 0,
  };
  return {
    ...stores,
    retry: RETRY,
    importFacts: (facts, options) =>
      importFacts({ log, meta, project: (...work) => project(projections, ...work), atOnce }, facts, options),
    queue: (queueOptions) =>
      createLocalQueue(
        { log, meta, project: async (...work) => project(await watched.projections(), ...work), atOnce },
        queueOptions,
      ),
    ...rebuilding({ database, ...stores, atOnce, ...removing(stores.eraser), metricTables }),
    countCronJobs: async (now, again) => {
      await countSchedules({ jobs: await liveJobs(projections, meta), meta }, { ...schedules, ...again, now });
    },
    sweep: async (run) => sweepWith(await watched.projections(), run),
    watchSchedules: (turn) => watched.schedules(turn),
    countEarlierJobs: () => countEarlier({ projections, meta, metrics, atOnce }),
    verify: verifying({ log, meta, projections, eraser: stores.eraser }),
    forget: (forgetting) => forgetExpired({ database, ...stores, holds: HOLD_SOURCES }, forgetting),
    ...ofDatabase(database),
  };
}

/** What concerns the file, whatever is in it. */
function ofDatabase(
  database: Database,
): Pick<Embedded, "backUp" | "streamCopy" | "files" | "writeProblem" | "findDamage" | "findDamagedRows" | "close"> {
  return {
    backUp: (target) => backUp(database, target),
    streamCopy: () => streamCopy(database),
    files: () => database.files,
    writeProblem: createWriteProbe(database, Date.now),
    findDamage: () => findDamage(database),
    findDamagedRows: () => findDamagedRows(database),
    close: () => database.close(),
  };
}

async function countEarlier({
  projections,
  ...ports
}: Omit<RecountPorts, "jobs" | "runs"> & Pick<Embedded, "projections">) {
  if (!(await ports.metrics.isBehind())) return 0;
  const { live } = await readLivePointer(ports.meta);
  return recountJobs({ ...ports, jobs: projections.open(live), runs: projections.runs(live) });
}

/** Projects items. The status changes are announced, and the runs join their series, at the end of the transaction. */
function announcing(meta: MetaStore, observers: { readonly observer: RowObserver; readonly runObserver: RunObserver }) {
  const feed = new ChangeFeed(meta, Date.now);
  return async (projections: Projections, ...[items, turn]: Parameters<ImportPorts["project"]>) => {
    const changes: JobChange[] = [];
    const runs: SeriesRun[] = [];
    const append: AppendChanges = async (some) => void changes.push(...some);
    const observer: RowObserver = async (row) => {
      await observers.observer(row);
      runs.push(...seriesRunsOf(row.key.cluster, jobObjectOf(row.state)));
    };
    const ports = { projections, meta, ...observers, observer, changes: { append }, ...(turn && { turn }) };
    const projected = await projectLive(ports, items, RETRY);
    await joinSeriesRuns(meta, runs, RETRY);
    // Right before the transaction ends: a follower reads a record some seconds after its instant at the latest.
    await feed.append(changes);
    return projected;
  };
}

function removing(eraser: Eraser): Required<Pick<ReplayPorts, "removeRecord" | "stored" | "holds">> {
  return { removeRecord: (kind, key) => eraser.removeRecord(kind, key), stored: eraser, holds: HOLD_SOURCES };
}

type VerifyStores = Pick<Embedded, "log" | "meta" | "projections" | "eraser">;

function verifying({ log, meta, projections, eraser }: VerifyStores): Embedded["verify"] {
  return async (options) => {
    const { live } = await readLivePointer(meta);
    const storedJobs = (cluster: ClusterName) => eraser.storedJobs(live, cluster);
    const runs = {
      runs: projections.runs(live),
      storedRuns: (cluster: ClusterName) => eraser.runs.storedJobs(live, cluster),
    };
    return verifyProjection(
      { log, meta, jobs: projections.open(live), storedJobs, runs, holds: HOLD_SOURCES },
      options,
    );
  };
}

interface RebuildPorts extends Required<Omit<ReplayPorts, "settle" | "spread">>, Pick<Embedded, "metrics" | "eraser"> {
  readonly database: Database;
  readonly metricTables: MetricTables;
}

/** A replay sweeps at its end, because there may be no later sweep, and lists would lack what only Events show. */
function rebuilding(all: RebuildPorts): Pick<Embedded, "replay" | "switchProjection"> {
  const { metrics, metricTables, database, eraser: _, ...ports } = all;
  const { meta, projections, atOnce } = ports;
  const settle: NonNullable<ReplayPorts["settle"]> = async ({ projection, isTrial }) => {
    const [jobs, runs] = [projections.open(projection), projections.runs(projection)];
    const sweep = (observed: { readonly observer?: RowObserver }) =>
      settleRows({ jobs, meta, atOnce, ...observed }, { now: Date.now(), freshMillis: 0 });
    if (isTrial) return sweep({});
    await rebuildSeries(all, projection);
    return rebuildMetrics({ database, metricTables, meta, metrics }, async (damaged) => {
      // The rows of a silent cluster are not swept.
      await recountJobs({ jobs, runs, meta, metrics, atOnce, isSweptNext: damaged === 0 });
      return sweep({ observer: countRows(metrics) });
    });
  };
  return {
    replay: async (options) => {
      if (options?.despite === undefined) await failIfLogIsDamaged(database, ports);
      await discardDamagedRecords(database);
      const rebuilt = await rebuildProjection({ ...ports, settle }, RETRY, options);
      if (rebuilt.outcome === "switched") await discardDamagedJobs(database, otherThan(rebuilt.live));
      return rebuilt;
    },
    switchProjection: () => switchProjection(meta, Date.now(), (projection) => settle({ projection, isTrial: false })),
  };
}

function openStores(database: Database, given: Omit<EmbeddedOptions, "busyMillis">) {
  const { maxSeries = STANDARD_MAX_SERIES, notify, logLinks } = given;
  const links = { ...(logLinks && { logLinks }) };
  const log = createSqliteLog(database);
  const meta = createSqliteMetaStore(database);
  const projections = createSqliteProjections(database);
  const metricTables = createSqliteMetricTables(database);
  const metrics = new StoredMetrics(metricTables, { maxSeries });
  const dueSubjects = createSqliteDueSubjects(database);
  const eraser = { ...eraserOf(database, meta), metrics: storedMetricEraser(metricTables, meta) };
  const inTransaction: WatchedStores["inTransaction"] = (work) => database.inTransaction(work);
  const watched = watchedProjections({ projections, meta, log, retry: RETRY, inTransaction, ...links }, notify);
  return { watched, metricTables, log, meta, projections, metrics, dueSubjects, eraser, ...links };
}

function eraserOf(database: Database, meta: MetaStore): Omit<Eraser, "metrics"> {
  const eraser = createSqliteEraser(database);
  const notices = createNoticeEraser({ meta, remove: (key) => eraser.removeRecord("notice", key) });
  return { ...eraser, notices };
}
