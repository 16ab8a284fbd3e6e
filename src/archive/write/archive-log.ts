import { formatInstant, type Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { ARCHIVE_KEY } from "../../ports/meta-key.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { archiveRecord } from "../../ports/records/archive-record.ts";
import { readArchiveErasures } from "../read/archive-erasures.ts";
import { erasuresVersion, listErasures } from "../../log/erasure/stored-erasures.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import { count } from "../../job/text/sentence.ts";
import {
  type ArchiveHour,
  HOUR_MILLIS,
  hourBegin,
  hourOf,
  HOURS_PER_DAY,
  lastClosedHour,
} from "../layout/archive-hour.ts";
import { type ManifestName, manifestKey } from "../layout/archive-keys.ts";
import { type ChainLink, listChain, nextName, readLink } from "../layout/chain.ts";
import { knownErasures, noteListed, unlistedErasures } from "./list-erasures.ts";
import { encodeManifest, type Manifest } from "../layout/manifest.ts";
import { addedSegments } from "./added-segments.ts";
import { moveArrival } from "./arrivals.ts";
import { archiveHour, type ArchivePorts, type HourRun } from "./archive-one-hour.ts";
import { compactDay, removeMergedParts } from "./compact-day.ts";
import { type ClusterLog, clusterLogs, firstHour } from "./hour-segments.ts";
import { notingStored } from "./put-objects.ts";

export interface ArchiveRun {
  readonly now: Instant;
  /** The id of a new archive. */
  readonly newId: () => string;
  /** Whether there is time for another hour. @default always */
  readonly hasTime?: () => boolean;
  /**
   * Whether the hours that are not closed are archived, too. What is added to them later is archived in the next hour.
   * @default false
   */
  readonly untilNow?: boolean;
  /** For how many days a Job is kept after it ended. @default for ever */
  readonly jobDays?: number;
  readonly onLink?: (link: ChainLink) => void;
}

export interface Archived {
  /** How many hours this run wrote. */
  readonly hours: number;
  /** The last hour that the archive has; `undefined` while it is empty. */
  readonly through?: ArchiveHour;
  /** SHA-256 of the last manifest. A copy kept elsewhere can prove later that the chain was not shortened. */
  readonly head?: string;
  /** The run ended early, for lack of time: the next run continues. */
  readonly isBehind: boolean;
}

/**
 * Archives every hour that is closed since the last one of the chain. Objects are written first and the manifest last:
 * a crash
 * at any step leaves a chain that the next run continues. Two archivers at once write the same objects. The first
 * manifest stays, and both continue from it.
 */
export async function archiveLog(ports: ArchivePorts, run: ArchiveRun): Promise<Archived> {
  const { store } = ports;
  const chain = await listChain(store);
  const lastName = chain.at(-1);
  const last = lastName && (await readLink(store, lastName));
  if (last !== undefined && last.name.hour > hourOf(run.now)) {
    throw new ArchiveAheadError(store.name, last.name.hour);
  }
  await requireErasures(ports);
  if (last !== undefined) await requireOwn(ports, last);
  await cleanLastDay(ports, chain);
  const until = run.untilNow === true ? hourOf(run.now) : lastClosedHour(run.now);
  const clusters = await withMoved(ports, { ...run, until }, chain);
  return new ChainWriter(ports, { ...run, until, clusters }).from(last);
}

/**
 * Moves what was added to hours that were archived before they were closed to the next hour of the chain. Throws
 * HourArchivedError if that hour has not begun.
 */
async function withMoved(
  ports: ArchivePorts,
  { until, untilNow = false }: ArchiveRun & { readonly until: ArchiveHour },
  chain: readonly ManifestName[],
): Promise<readonly ClusterLog[]> {
  const clusters = await clusterLogs(ports.meta);
  const last = chain.at(-1)?.hour;
  const isContinued = last !== undefined && last < until;
  if (last === undefined || (!isContinued && !untilNow)) return clusters;
  const added = await addedSegments(ports, { chain, clusters });
  if (added.length === 0) return clusters;
  if (!isContinued) throw new HourArchivedError(ports.store.name, { hour: last, segments: added.length });
  for (const segment of added) await moveArrival(ports.meta, segment, last + 1);
  return clusterLogs(ports.meta);
}

/** Removes the parts that a compaction replaced. A run that crashed after the compaction may have left them. */
async function cleanLastDay({ store }: ArchivePorts, chain: readonly ManifestName[]): Promise<void> {
  const day = chain.findLast(({ kind }) => kind === "day");
  if (day !== undefined) await removeMergedParts(store, await readLink(store, day));
}

/** Checks that the log's own record has the id of this chain. */
async function requireOwn({ meta, store }: ArchivePorts, { manifest }: ChainLink): Promise<void> {
  if ((await knownArchive(meta)) !== manifest.archive) throw new OtherArchiveError(store.name);
}

/**
 * The id of the archive. It is recorded with the first hour: a log without a closed hour has no archive, so that an
 * erasure does not have to name one.
 */
async function archiveId(meta: MetaStore, newId: () => string): Promise<string> {
  const known = await knownArchive(meta);
  if (known !== undefined) return known;
  const archive = newId();
  const written = await writeRecord(meta, archiveRecord, { key: ARCHIVE_KEY, value: { archive }, expected: 0 });
  return written.outcome === "written" ? archive : archiveId(meta, newId);
}

async function knownArchive(meta: MetaStore): Promise<string | undefined> {
  return (await readRecord(meta, archiveRecord, ARCHIVE_KEY))?.value.archive;
}

/** The current hour was archived before, and more was added to it. The next hour will have it. */
export class HourArchivedError extends Error {
  override readonly name = "HourArchivedError";

  constructor(store: string, { hour, segments }: { readonly hour: ArchiveHour; readonly segments: number }) {
    const next = formatInstant(hourBegin(hour + 1));
    super(
      `Archive ${store} has the hour ${formatInstant(hourBegin(hour))}, and ${count(segments, "segment")} of the log ` +
        `${segments === 1 ? "was" : "were"} added after it was archived. Repeat the command after ${next}: the next ` +
        "hour of the archive will have what was added.",
    );
  }
}

/** The chain has hours that have not begun: they do not have what will arrive in them. */
export class ArchiveAheadError extends Error {
  override readonly name = "ArchiveAheadError";

  constructor(store: string, hour: ArchiveHour) {
    super(
      `Archive ${store} has the hour ${formatInstant(hourBegin(hour))}, which has not begun. Correct the clock of ` +
        "this machine. If the clock was ahead before, archive into a new folder.",
    );
  }
}

/**
 * Rejects a database that was restored from a backup older than an erasure, or taken during one: it would archive the
 * erased data again.
 */
async function requireErasures({ meta, store }: ArchivePorts): Promise<void> {
  const { files } = await readArchiveErasures(store);
  if (files.length === 0) return;
  const stages = new Map((await listErasures(meta)).map(({ record }) => [record.id, record.stage]));
  for (const { key, file } of files) {
    const stage = stages.get(file.erasure.id);
    if (stage !== "done") throw new ErasureNotAppliedError(store.name, { key, isKnown: stage !== undefined });
  }
}

/** The archive has an erasure that the database does not have, or has not finished. */
export class ErasureNotAppliedError extends Error {
  override readonly name = "ErasureNotAppliedError";

  constructor(store: string, { key, isKnown }: { readonly key: string; readonly isKnown: boolean }) {
    const problem = isKnown
      ? "has not finished: it was stopped, or the database was restored from a backup of that time. Finish it"
      : "does not have: it was restored from an older backup. Erase the data again";
    super(
      `Archive ${store} has an erasure (${key}) that this database ${problem} with ` +
        `"outlive erase --apply --archive ${store}".`,
    );
  }
}

/** The archive belongs to another stage or database. */
export class OtherArchiveError extends Error {
  override readonly name = "OtherArchiveError";

  constructor(store: string) {
    super(`Archive ${store} belongs to another database. Name an empty folder, or the database of this archive.`);
  }
}

interface ChainRun extends ArchiveRun {
  readonly clusters: readonly ClusterLog[];
  /** The last hour to archive. */
  readonly until: ArchiveHour;
}

class ChainWriter {
  readonly #ports: ArchivePorts;
  readonly #run: ChainRun;
  #archive: string | undefined;

  constructor(ports: ArchivePorts, run: ChainRun) {
    this.#ports = ports;
    this.#run = run;
  }

  async from(begin: ChainLink | undefined): Promise<Archived> {
    const { until } = this.#run;
    let last = begin;
    let hours = 0;
    for (let name = await this.#firstName(last); name !== undefined && name.hour <= until; name = nextName(name)) {
      if (this.#run.hasTime?.() === false) return { ...summary(last, hours), isBehind: true };
      last = await this.#write(name, last);
      if (name.kind === "hour") hours += 1;
      this.#run.onLink?.(last);
    }
    return { ...summary(last, hours), isBehind: false };
  }

  async #firstName(last: ChainLink | undefined): Promise<ManifestName | undefined> {
    if (last !== undefined) return nextName(last.name);
    const first = await firstHour(this.#ports, this.#run.clusters);
    return first === undefined ? undefined : { kind: "hour", hour: first };
  }

  async #write(name: ManifestName, last: ChainLink | undefined): Promise<ChainLink> {
    const { store, meta } = this.#ports;
    const { now, newId, jobDays = Infinity } = this.#run;
    const archive = (this.#archive ??= await archiveId(meta, newId));
    const hasExpired = hourBegin(name.hour) <= now - jobDays * HOURS_PER_DAY * HOUR_MILLIS;
    const link = { ...this.#run, archive, hour: name.hour, previous: last?.sha256 ?? "", hasExpired };
    const manifest = await this.#withoutErased(name, (to) =>
      name.kind === "hour" ? this.#archiveHour(to, link) : this.#compactDay(to, link),
    );
    await store.putIfAbsent(manifestKey(name), encodeManifest(manifest));
    // If another archiver was first, its manifest counts.
    const written = await readLink(store, name);
    if (name.kind === "hour") await noteListed(meta, written);
    if (name.kind === "day") await removeMergedParts(store, written);
    return written;
  }

  /** Archives an hour, and lists the erasures since the last one. */
  async #archiveHour(store: ObjectStore, link: HourRun): Promise<Manifest> {
    const ports = { ...this.#ports, store };
    const manifest = await archiveHour(ports, link);
    return { ...manifest, objects: [...manifest.objects, ...(await unlistedErasures(ports))] };
  }

  async #compactDay(store: ObjectStore, link: HourRun): Promise<Manifest> {
    return compactDay(store, { ...link, erasures: await knownErasures({ ...this.#ports, store }) });
  }

  /**
   * Repeats the writing of an hour or day if an erasure ran in the meantime: this run had read data that the erasure
   * removed. If another archiver was first, its manifest stays.
   */
  async #withoutErased(name: ManifestName, write: (store: ObjectStore) => Promise<Manifest>): Promise<Manifest> {
    const { meta, store } = this.#ports;
    for (;;) {
      const before = await erasuresVersion(meta);
      const keys = new Set<string>();
      const [written] = await Promise.allSettled([write(notingStored(store, keys))]);
      const isDone = (await erasuresVersion(meta)) === before || (await store.read(manifestKey(name))) !== undefined;
      if (isDone && written.status === "rejected") throw written.reason;
      if (isDone && written.status === "fulfilled") return written.value;
      for (const key of keys) await store.remove(key);
    }
  }
}

function summary(last: ChainLink | undefined, hours: number): Omit<Archived, "isBehind"> {
  return { hours, ...(last !== undefined && { through: last.name.hour, head: last.sha256 }) };
}
