import { type ArchivedThrough, isDayArchived, isJobArchived } from "../../archive/retention/is-archived.ts";
import { verifyNewLinks } from "../../archive/retention/verify-new-links.ts";
import { type ArchiveHour, lastClosedHour } from "../../archive/layout/archive-hour.ts";
import { listChain } from "../../archive/layout/chain.ts";
import { addedSegments } from "../../archive/write/added-segments.ts";
import { readArrivals } from "../../archive/write/arrivals.ts";
import { clusterLogs } from "../../archive/write/hour-segments.ts";
import { type ClusterName, decodeClusterName, decodeJobUid } from "../../job/model/ids.ts";
import { DAY_MILLIS, type Instant } from "../../job/model/instant.ts";
import type { Eraser } from "../../ports/erasing/eraser.ts";
import type { HoldStores } from "../../ports/expiry/holds.ts";
import type { Log } from "../../ports/log.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import type { Projections } from "../../ports/projections.ts";
import { readLivePointer } from "../../projection/live-projection.ts";
import { readableRecord } from "../../projection/run-state/project-run.ts";
import { type JobView, readJob } from "../../projection/job-state/read-job.ts";
import { clusterIn, retentionKey } from "../../ports/meta-key.ts";
import { forgetAcknowledgements } from "../../upkeep/retention/acknowledgements.ts";
import { forgetSeries } from "../../upkeep/series/expired-series.ts";
import { noteRemoved } from "../../upkeep/retention/removed-jobs.ts";
import { daysOfOldJobs, heldDays } from "../../upkeep/retention/held-days.ts";
import { readRetentionRules, type RetentionRules } from "../../upkeep/retention/retention-rules.ts";
import {
  applyRetention,
  deleteChanges,
  type Deleted,
  type ExpiredJob,
  type RetentionLimits,
} from "../../adapters/sqlite/apply-retention.ts";
import type { Database } from "../../adapters/sqlite/database.ts";

export interface ForgetStores extends HoldStores {
  readonly database: Database;
  readonly log: Log;
  readonly projections: Projections;
  readonly eraser: Pick<Eraser, "metrics" | "removeRecord">;
}

export interface ForgetOptions {
  /** The retention of clusters and namespaces without a rule of their own. @default Jobs are kept for ever */
  readonly days?: number | undefined;
  readonly now: Instant;
  /** If set, only data that this archive provably has is deleted. @default there is no archive */
  readonly archive?: ObjectStore | undefined;
}

/**
 * Deletes Jobs and days of the log that have expired, except those under a hold, and those that the archive does
 * not have yet. Deletes announced changes and acknowledgements that have expired. Throws ArchiveNotVerifiedError or
 * ArchiveDamagedError.
 */
export async function forgetExpired(stores: ForgetStores, { days, now, archive }: ForgetOptions): Promise<Deleted> {
  await deleteChanges(stores.database, now);
  await forgetAcknowledgements(stores.meta, stores.eraser, now);
  const rules = await readRetentionRules(stores, days);
  if (!rules.isLimited) return NOTHING_DELETED;
  const archived = archive && new ArchivedStores(stores, archive, await completeThrough(stores, { now, archive }));
  const held = await heldDays(stores, rules);
  const needed = new NeededDays(stores, rules, now);
  const { live, building } = await readLivePointer(stores.meta);
  const current = building === undefined ? [live] : [live, building];
  const limits = limitsOf(stores, { rules, held, needed, archived, current });
  const deleted = await applyRetention(stores.database, { limits, now });
  return { ...deleted, records: deleted.records + (await forgetSeries(stores.meta, stores.eraser)) };
}

const NOTHING_DELETED: Deleted = { logItems: 0, jobs: 0, records: 0, kept: { jobs: 0, days: 0 } };

/**
 * The last hour that the archive provably has. An hour that was archived before it was closed counts once it is closed,
 * and if nothing was added to it.
 */
async function completeThrough(
  { log, meta }: ForgetStores,
  { now, archive: store }: { readonly now: Instant; readonly archive: ObjectStore },
): Promise<ArchiveHour> {
  const verified = (await verifyNewLinks({ meta, store })) ?? NOTHING;
  const added = await addedSegments(
    { log, store },
    { chain: await listChain(store), clusters: await clusterLogs(meta) },
  );
  return Math.min(verified, lastClosedHour(now), ...added.map(({ hour }) => hour - 1));
}

/** An hour before every other one: nothing is archived. */
const NOTHING: ArchiveHour = -1;

interface Conditions {
  readonly rules: RetentionRules;
  /** The days of the log with facts about held Jobs: a rebuild needs them. */
  readonly held: ReadonlySet<string>;
  readonly needed: NeededDays;
  readonly archived: ArchivedStores | undefined;
  readonly current: RetentionLimits["current"];
}

function limitsOf(stores: ForgetStores, { rules, held, needed, archived, current }: Conditions): RetentionLimits {
  return {
    current,
    daysOf: (cluster, namespace) => rules.daysOf(cluster, namespace),
    longestOf: (cluster) => rules.longestOf(cluster),
    keepsGaps: archived !== undefined,
    noteRemoved: ({ cluster, namespace }, deleted) =>
      noteRemoved(stores.meta, retentionKey(cluster, namespace), deleted),
    forgetSubject: async (name, id) => {
      const cluster = decodeClusterName(name);
      if (cluster !== undefined) await stores.eraser.metrics?.forget(cluster, id);
    },
    mayDeleteJob: async (job) => {
      if (rules.holdOn(job) !== undefined) return false;
      if (archived === undefined) return true;
      const view = await viewOf(stores, job);
      return view === undefined || archived.hasJob(view.cluster, view.view);
    },
    // A run expires with its last Job.
    mayDeleteRun: async (run) => rules.holdOn(run) === undefined && !(await hasJobs(stores, run)),
    mayDeleteDay: async (pk) => !held.has(pk) && !(await needed.has(pk)) && ((await archived?.hasDay(pk)) ?? true),
  };
}

async function hasJobs({ projections }: ForgetStores, { projection, cluster: name, jobUid }: ExpiredJob) {
  const [cluster, uid] = [decodeClusterName(name), decodeJobUid(jobUid)];
  const stored = cluster && uid && (await projections.runs(projection).read({ cluster, jobUid: uid }));
  if (cluster === undefined || stored === undefined) return false;
  const jobs = projections.open(projection);
  for (const jobOfRun of readableRecord(jobUid, stored)?.jobs.keys() ?? []) {
    const member = decodeJobUid(jobOfRun);
    if (member !== undefined && (await jobs.read({ cluster, jobUid: member })) !== undefined) return true;
  }
  return false;
}

async function viewOf({ projections }: ForgetStores, { projection, cluster, jobUid }: ExpiredJob) {
  const key = { cluster: decodeClusterName(cluster), jobUid: decodeJobUid(jobUid) };
  if (key.cluster === undefined || key.jobUid === undefined) return undefined;
  const view = await readJob(projections.open(projection), { cluster: key.cluster, jobUid: key.jobUid });
  return view && { cluster: key.cluster, view };
}

/**
 * Days with facts about Jobs that are stored for longer than the log is kept, because they ran for long. They are read
 * after expired Jobs are deleted.
 */
class NeededDays {
  readonly #stores: ForgetStores;
  readonly #rules: RetentionRules;
  readonly #now: Instant;
  readonly #clusters = new Map<ClusterName, Promise<ReadonlySet<string>>>();

  constructor(stores: ForgetStores, rules: RetentionRules, now: Instant) {
    this.#stores = stores;
    this.#rules = rules;
    this.#now = now;
  }

  async has(pk: string): Promise<boolean> {
    const cluster = decodeClusterName(clusterIn(pk));
    const days = cluster && this.#rules.longestOf(cluster);
    if (cluster === undefined || days === undefined) return false;
    const known =
      this.#clusters.get(cluster) ??
      daysOfOldJobs(this.#stores, cluster, {
        before: this.#now - days * DAY_MILLIS,
        now: this.#now,
      });
    this.#clusters.set(cluster, known);
    return (await known).has(pk);
  }
}

/** Answers what the archive provably has. */
class ArchivedStores {
  readonly #stores: ForgetStores;
  readonly #archive: ObjectStore;
  readonly #through: ArchiveHour;
  readonly #clusters = new Map<ClusterName, Promise<ArchivedThrough>>();

  constructor(stores: ForgetStores, archive: ObjectStore, through: ArchiveHour) {
    this.#stores = stores;
    this.#archive = archive;
    this.#through = through;
  }

  async hasJob(cluster: ClusterName, view: JobView): Promise<boolean> {
    return isJobArchived(view, await this.#of(cluster));
  }

  async hasDay(pk: string): Promise<boolean> {
    const at = pk.lastIndexOf("#");
    const cluster = decodeClusterName(pk.slice(0, at));
    if (cluster === undefined) return false;
    const stores = { log: this.#stores.log, store: this.#archive };
    return isDayArchived(stores, { cluster, day: pk.slice(at + 1) }, await this.#of(cluster));
  }

  #of(cluster: ClusterName): Promise<ArchivedThrough> {
    const known = this.#clusters.get(cluster) ?? this.#read(cluster);
    this.#clusters.set(cluster, known);
    return known;
  }

  async #read(cluster: ClusterName): Promise<ArchivedThrough> {
    return { arrivals: await readArrivals(this.#stores.meta, cluster), through: this.#through };
  }
}
