import { joinRunFacts, type RunRecord } from "../../explain/run/run-record.ts";
import { loadAhead } from "../../ports/concurrency/load-ahead.ts";
import type { Fact } from "../../job/model/fact.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { instantOf } from "../../job/model/fact-instant.ts";
import { formatInstant } from "../../job/model/instant.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { runsBelow } from "../../parents/run/object-above.ts";
import { runOfJob } from "../../parents/run/run-uid.ts";
import { statusOf } from "../../parents/status/statuses.ts";
import type { JobKey, JobStore, RunStore } from "../../ports/jobs.ts";
import type { Log, LogItem } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { recordOf, type RunChange, withChange } from "../../projection/run-state/project-run.ts";
import { RunChanges } from "../../projection/run-state/run-changes.ts";
import { rememberedMeta } from "../../query/clusters/remembered-meta.ts";
import { loadListedJob, type LoadedJob } from "../../query/job/load-job.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { type ArchiveHour, dayText, hourBegin } from "../layout/archive-hour.ts";
import type { ManifestName } from "../layout/archive-keys.ts";
import { type ArchivedObject, countRows, type Manifest } from "../layout/manifest.ts";
import { factRow } from "../rows/fact-columns.ts";
import { COLUMNS, type DatedRow, jobRows } from "../rows/job-rows.ts";
import { runRowOf } from "../rows/run-rows.ts";
import { arrivalHours, type ClusterLog, hourSources, type SegmentSource } from "./hour-segments.ts";
import { type FinishedPart, PartSet } from "./part-set.ts";
import { putPart, putSegments } from "./put-objects.ts";
import { type SegmentFile, SegmentFiler } from "./segment-filer.ts";
import { type TouchedJob, TouchedJobs } from "./jobs-touched-in-hour.ts";

export interface ArchivePorts {
  readonly log: Log;
  readonly meta: MetaStore;
  /** The live projection. */
  readonly jobs: JobStore;
  /** The runs of the same projection. */
  readonly runs: RunStore;
  readonly store: ObjectStore;
}

export interface HourRun {
  readonly hour: ArchiveHour;
  readonly clusters: readonly ClusterLog[];
  readonly archive: string;
  /** SHA-256 of the previous manifest; "" for the first. */
  readonly previous: string;
  /**
   * Whether Jobs of this hour may have expired. An expired Job gets no row, but its segments and facts are archived.
   */
  readonly hasExpired: boolean;
}

/** Jobs that share the records that they read: Nodes, gaps, CronJobs. */
const JOBS_PER_CONTEXT = 200;
/** Jobs that are read at once: a store that answers over the network needs some milliseconds for each. */
const LOADED_AHEAD = 16;

/**
 * Writes the objects of one hour and returns their manifest, which the caller writes. After a crash, the next run finds
 * the same objects, because their keys follow from the log.
 */
export async function archiveHour(ports: ArchivePorts, run: HourRun): Promise<Manifest> {
  const hour = new HourWriter(ports, run);
  for (const source of hourSources(ports, run.clusters, run.hour)) await hour.addSource(source);
  await hour.addRuns();
  return hour.finish();
}

class HourWriter {
  readonly #ports: ArchivePorts;
  readonly #run: HourRun;
  readonly #link: ManifestName;
  readonly #parts: PartSet;
  /** A run names no segments, so the facts of the hour are joined to what is stored: its row lacks none of them. */
  readonly #runs = new RunChanges();
  readonly #objects: ArchivedObject[] = [];
  readonly #arrivalHour: ReturnType<typeof arrivalHours>;

  constructor(ports: ArchivePorts, run: HourRun) {
    this.#ports = ports;
    this.#run = run;
    this.#link = { kind: "hour", hour: run.hour };
    this.#parts = new PartSet(this.#link);
    this.#arrivalHour = arrivalHours(run.clusters);
  }

  async addSource(read: SegmentSource): Promise<void> {
    const touched = new TouchedJobs();
    await this.#addSegments(read, touched);
    await this.#addJobs(touched);
    for (let share = 1; share < touched.shares; share += 1) {
      const others = new TouchedJobs({ share, shares: touched.shares });
      for await (const { cluster, item } of read()) others.add({ cluster, sk: item.key.sk, facts: factsOf(item) });
      await this.#addJobs(others);
    }
  }

  /** After all Jobs, whose states have every segment of the hour. */
  async addRuns(): Promise<void> {
    for (const run of this.#runs.all) await this.#addRunsBelow(run);
    const load = async (run: RunChange) => ({ cluster: run.key.cluster, row: await this.#rowOf(run) });
    for await (const { cluster, row } of loadAhead(this.#runs.all, LOADED_AHEAD, load)) {
      if (row !== undefined) await this.#addRow(cluster, row);
    }
  }

  /** The row of a run. One that has expired gets none. */
  async #rowOf(run: RunChange): Promise<DatedRow | undefined> {
    const { jobs, runs } = this.#ports;
    const { hour: revision, hasExpired } = this.#run;
    const { cluster, jobUid } = run.key;
    const stored = await runs.read(run.key);
    if (stored === undefined && hasExpired) return undefined;
    const source = { jobs, recordAt: (key: JobKey) => this.#recordAt(key) };
    const record = await withChange(source, recordOf(jobUid, stored), run);
    return runRowOf({ cluster, record, revision });
  }

  async #recordAt(key: JobKey): Promise<RunRecord> {
    const stored = await this.#ports.runs.read(key);
    return joinRunFacts(recordOf(key.jobUid, stored), this.#runs.factsOf(key));
  }

  /** The end that a TrainJob reports is that of the run of its JobSet. */
  async #addRunsBelow({ key, facts }: RunChange): Promise<void> {
    if (!facts.some(({ of }) => statusOf(of)?.startsJobsBy !== undefined)) return;
    const { parents } = await this.#recordAt(key);
    for (const jobUid of runsBelow(key.jobUid, parents)) this.#runs.addRun({ ...key, jobUid });
  }

  async finish(): Promise<Manifest> {
    for (const part of this.#parts.finish()) await this.#put(part);
    const { archive, previous, hour } = this.#run;
    return {
      version: 1,
      archive,
      kind: "hour",
      hour: formatInstant(hourBegin(hour)),
      previous,
      objects: this.#objects,
      counts: countRows(this.#objects),
    };
  }

  /** Adds the segments unchanged to the files, including those that this release cannot decode. */
  async #addSegments(read: SegmentSource, touched: TouchedJobs): Promise<void> {
    const filer = new SegmentFiler();
    for await (const { cluster, item, ...arrival } of read()) {
      const { key, bytes, sha256 } = item;
      const facts = factsOf(item);
      touched.add({ cluster, sk: key.sk, facts });
      this.#runs.addFacts(cluster, facts);
      for (const fact of facts) {
        const row = factRow({ cluster, fact, segment: key.sk, revision: this.#run.hour });
        await this.#addRow(cluster, { table: "facts", day: dayText(instantOf(fact)), row });
      }
      for (const file of filer.add({ cluster, bytes, sha256, facts, ...arrival })) await this.#putSegments(file);
    }
    for (const file of filer.finish()) await this.#putSegments(file);
  }

  async #putSegments(file: SegmentFile): Promise<void> {
    this.#objects.push(await putSegments(this.#ports.store, this.#run.hour, file));
  }

  async #addJobs(touched: TouchedJobs): Promise<void> {
    let meta = rememberedMeta(this.#ports.meta);
    let left = JOBS_PER_CONTEXT;
    const load = async (job: TouchedJob): Promise<LoadedTouched> => {
      if (left === 0) {
        meta = rememberedMeta(this.#ports.meta);
        left = JOBS_PER_CONTEXT;
      }
      left -= 1;
      return { job, loaded: await loadListedJob({ ...this.#ports, meta }, job) };
    };
    for await (const { job, loaded } of loadAhead(touched.jobs(), LOADED_AHEAD, load)) await this.#addJob(job, loaded);
  }

  async #addJob(job: TouchedJob, loaded: LoadedJob | undefined): Promise<void> {
    const { hour: revision, hasExpired } = this.#run;
    if (loaded === undefined && hasExpired) return;
    const hours = loaded && (await this.#hoursOf(loaded, job));
    if (loaded === undefined || hours === undefined) throw new ProjectionBehindError(revision, job.jobUid);
    const { created } = loaded.view.job;
    if (created !== undefined) this.#runs.addJob(job, runOfJob(created)?.uid);
    const isTouched = ({ uid }: PodRecord): boolean => job.pods.has(uid);
    for await (const row of jobRows(loaded, { revision, hours, isTouched })) await this.#addRow(job.cluster, row);
  }

  /** The hours that have facts about the Job; `undefined` if its state lacks a segment of this hour. */
  async #hoursOf({ view }: LoadedJob, { cluster, segments }: TouchedJob): Promise<readonly ArchiveHour[] | undefined> {
    const hours = new Set<ArchiveHour>([this.#run.hour]);
    let applied = 0;
    for await (const key of view.logKeys()) {
      if (segments.has(key.sk)) applied += 1;
      const hour = this.#arrivalHour(cluster, key);
      // A later hour writes the Job again.
      if (hour <= this.#run.hour) hours.add(hour);
    }
    return applied < segments.size ? undefined : [...hours].sort((x, y) => x - y);
  }

  async #addRow(cluster: ClusterName, { table, day, row }: DatedRow): Promise<void> {
    for (const part of this.#parts.add({ table, day, cluster }, COLUMNS[table], row)) await this.#put(part);
  }

  async #put(part: FinishedPart): Promise<void> {
    this.#objects.push(await putPart(this.#ports.store, part));
  }
}

interface LoadedTouched {
  readonly job: TouchedJob;
  readonly loaded: LoadedJob | undefined;
}

function factsOf({ bytes }: LogItem): readonly Fact[] {
  const decoded = decodeSegment(bytes);
  return decoded.outcome === "decoded" ? decoded.segment.facts : [];
}

/** A Job's state lacks facts that the log has. */
export class ProjectionBehindError extends Error {
  override readonly name = "ProjectionBehindError";

  constructor(hour: ArchiveHour, jobUid: string) {
    super(
      `Cannot archive the hour ${formatInstant(hourBegin(hour))}: the state of Job ${jobUid} lacks facts of the log. ` +
        "The next run tries again. If it fails again, rebuild the projection with `outlive replay`.",
    );
  }
}
