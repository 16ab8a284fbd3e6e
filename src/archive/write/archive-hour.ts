import type { ClusterName } from "../../job/model/ids.ts";
import { instantOf } from "../../job/model/fact-instant.ts";
import { formatInstant } from "../../job/model/instant.ts";
import type { JobStore } from "../../ports/jobs.ts";
import type { Log } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { rememberedMeta } from "../../query/clusters/remembered-meta.ts";
import { loadListedJob, type LoadedJob } from "../../query/job/load-job.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { type ArchiveHour, dayText, hourBegin } from "../layout/archive-hour.ts";
import type { ManifestName } from "../layout/archive-keys.ts";
import { type ArchivedObject, countRows, type Manifest } from "../layout/manifest.ts";
import { factRow } from "../rows/fact-columns.ts";
import { COLUMNS, type DatedRow, jobRows } from "../rows/job-rows.ts";
import { type ClusterLog, hourSegments } from "./hour-segments.ts";
import { type FinishedPart, PartSet } from "./part-set.ts";
import { putPart, putSegments } from "./put-objects.ts";
import { SegmentFiler } from "./segment-filer.ts";
import { type TouchedJob, TouchedJobs } from "./touched-jobs.ts";

export interface ArchivePorts {
  readonly log: Log;
  readonly meta: MetaStore;
  /** The live projection. */
  readonly jobs: JobStore;
  readonly store: ObjectStore;
}

export interface HourRun {
  readonly hour: ArchiveHour;
  readonly clusters: readonly ClusterLog[];
  readonly archive: string;
  /** SHA-256 of the previous manifest; "" for the first. */
  readonly previous: string;
}

/** Jobs that share the records that they read: Nodes, gaps, CronJobs. */
const JOBS_PER_CONTEXT = 200;

/**
 * Writes the objects of one hour, and returns the manifest that vouches for them. It does not write the manifest: a
 * crash before leaves objects that the next run finds in place, because their keys follow from the log.
 */
export async function archiveHour(ports: ArchivePorts, run: HourRun): Promise<Manifest> {
  const hour = new HourWriter(ports, run);
  for (const cluster of run.clusters) await hour.addCluster(cluster);
  return hour.finish();
}

class HourWriter {
  readonly #ports: ArchivePorts;
  readonly #run: HourRun;
  readonly #link: ManifestName;
  readonly #parts: PartSet;
  readonly #objects: ArchivedObject[] = [];

  constructor(ports: ArchivePorts, run: HourRun) {
    this.#ports = ports;
    this.#run = run;
    this.#link = { kind: "hour", hour: run.hour };
    this.#parts = new PartSet(this.#link);
  }

  async addCluster(cluster: ClusterLog): Promise<void> {
    const touched = new TouchedJobs();
    await this.#addSegments(cluster, touched);
    await this.#addJobs(cluster, touched);
    for (let share = 1; share < touched.shares; share += 1) {
      const others = new TouchedJobs({ share, shares: touched.shares });
      for await (const { bytes } of hourSegments(this.#ports.log, cluster, this.#run.hour)) {
        const decoded = decodeSegment(bytes);
        if (decoded.outcome === "decoded") others.add(decoded.segment.facts);
      }
      await this.#addJobs(cluster, others);
    }
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

  /** Files the segments as they are, even one that this release cannot decode. */
  async #addSegments({ cluster, arrivals }: ClusterLog, touched: TouchedJobs): Promise<void> {
    const filer = new SegmentFiler();
    for await (const item of hourSegments(this.#ports.log, { cluster, arrivals }, this.#run.hour)) {
      const decoded = decodeSegment(item.bytes);
      const facts = decoded.outcome === "decoded" ? decoded.segment.facts : [];
      const lateAt = arrivals.lateAt(item.key.sk);
      filer.add({ bytes: item.bytes, ...(lateAt !== undefined && { lateAt }) }, item.sha256, facts);
      touched.add(facts);
      for (const fact of facts) {
        const row = factRow({ cluster, fact, segment: item.key.sk, revision: this.#run.hour });
        await this.#addRow(cluster, { table: "facts", day: dayText(instantOf(fact)), row });
      }
      if (filer.isFull) await this.#putSegments(cluster, filer);
    }
    await this.#putSegments(cluster, filer);
  }

  async #putSegments(cluster: ClusterName, filer: SegmentFiler): Promise<void> {
    const file = filer.take();
    if (file !== undefined) this.#objects.push(await putSegments(this.#ports.store, { ...this.#run, cluster }, file));
  }

  async #addJobs(cluster: ClusterLog, touched: TouchedJobs): Promise<void> {
    let meta = rememberedMeta(this.#ports.meta);
    let left = JOBS_PER_CONTEXT;
    for (const [jobUid, job] of touched.jobs) {
      if (left === 0) {
        meta = rememberedMeta(this.#ports.meta);
        left = JOBS_PER_CONTEXT;
      }
      left -= 1;
      const loaded = await loadListedJob({ ...this.#ports, meta }, { cluster: cluster.cluster, jobUid });
      const hours = loaded && (await this.#hoursOf(loaded, cluster, job));
      if (loaded === undefined || hours === undefined) throw new ProjectionBehindError(this.#run.hour, jobUid);
      const isTouched = ({ uid }: { readonly uid: LoadedPodUid }): boolean => job.pods.has(uid);
      for await (const row of jobRows(loaded, { revision: this.#run.hour, hours, isTouched })) {
        await this.#addRow(cluster.cluster, row);
      }
    }
  }

  /** The hours that have facts about the Job; `undefined` if its state lacks a segment of this hour. */
  async #hoursOf(
    { view }: LoadedJob,
    { arrivals }: ClusterLog,
    { segments }: TouchedJob,
  ): Promise<readonly ArchiveHour[] | undefined> {
    const hours = new Set<ArchiveHour>();
    let applied = 0;
    for await (const { sk } of view.logKeys()) {
      const hour = arrivals.hourOf(sk);
      if (hour === this.#run.hour) applied += 1;
      // A later hour writes the Job again.
      if (hour <= this.#run.hour) hours.add(hour);
    }
    return applied < segments ? undefined : [...hours].sort((a, b) => a - b);
  }

  async #addRow(cluster: ClusterName, { table, day, row }: DatedRow): Promise<void> {
    for (const part of this.#parts.add({ table, day, cluster }, COLUMNS[table], row)) await this.#put(part);
  }

  async #put(part: FinishedPart): Promise<void> {
    this.#objects.push(await putPart(this.#ports.store, part));
  }
}

type LoadedPodUid = TouchedJob["pods"] extends Set<infer Uid> ? Uid : never;

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
