import type { ClusterName } from "../../job/model/ids.ts";
import { type ArchiveHour, dayText, hourBegin, hourOf, HOURS_PER_DAY, hourPath, hourText } from "./archive-hour.ts";

/** The folders of objects with data of Jobs. */
export const DATA_FOLDERS = ["segments/", "jobs/", "runs/", "attempts/", "facts/"] as const;

/** The keys of objects, below the root of the archive. */

export const MANIFESTS = "manifest/";

/** A link of the manifest chain: an hour, or the compaction of a day, which follows the day's last hour. */
export interface ManifestName {
  readonly kind: "hour" | "day";
  /** The hour; of a compaction, the last hour of its day. */
  readonly hour: ArchiveHour;
}

export function manifestKey({ kind, hour }: ManifestName): string {
  const path = kind === "hour" ? hourPath(hour) : `dt=${dayText(hourBegin(hour))}/hour=${hourText(hour)}-day`;
  return `${MANIFESTS}${path}/manifest.json`;
}

/** The inverse of {@link manifestKey}; `undefined` for another key. */
export function decodeManifestKey(key: string): ManifestName | undefined {
  const [, day, hourDigits, isDay] =
    /^manifest\/dt=(\d{4}-\d{2}-\d{2})\/hour=(\d{2})(-day)?\/manifest\.json$/.exec(key) ?? [];
  const begin = Date.parse(`${day ?? ""}T${hourDigits ?? ""}:00:00Z`);
  if (Number.isNaN(begin)) return undefined;
  const name: ManifestName = { kind: isDay === undefined ? "hour" : "day", hour: hourOf(begin) };
  return manifestKey(name) === key ? name : undefined;
}

export function segmentsKey(hour: ArchiveHour, sha256: string): string {
  return `segments/${hourPath(hour)}/${sha256}.seg`;
}

export type TableName = "jobs" | "runs" | "attempts" | "facts";

/** Where rows belong: the UTC day of their end, and their cluster. */
export interface RowPartition {
  readonly table: TableName;
  /** `2026-11-21` */
  readonly day: string;
  readonly cluster: ClusterName;
}

/** Text that identifies a partition; partitions sort by it. */
export function partitionPath({ table, day, cluster }: RowPartition): string {
  return `${table}/dt=${day}/cluster=${cluster}`;
}

/**
 * The key of a part. Its number counts the days from `dt` until its rows were archived: 0 for nearly all, more for late
 * facts and imports, less if a Node's clock was ahead of midnight. `part-0-h08.parquet` has one hour. The compaction of
 * the day replaces it with `part-0.parquet`.
 */
export function partKey(partition: RowPartition, { kind, hour }: ManifestName, split: number): string {
  const archivedOn = Math.floor(hour / HOURS_PER_DAY);
  const late = archivedOn - Math.floor(hourOf(Date.parse(`${partition.day}T00:00:00Z`)) / HOURS_PER_DAY);
  const ofHour = kind === "hour" ? `-h${hourText(hour)}` : "";
  return `${partitionPath(partition)}/part-${late}${ofHour}${split === 0 ? "" : `-${split}`}.parquet`;
}

/** The partition of a part; `undefined` for another key. */
export function partitionOfKey(
  key: string,
): (Omit<RowPartition, "cluster"> & { readonly cluster: string }) | undefined {
  const [, table, day, cluster] =
    /^(jobs|runs|attempts|facts)\/dt=(\d{4}-\d{2}-\d{2})\/cluster=([^/]+)\/part-[^/]+\.parquet$/.exec(key) ?? [];
  const isTable = table === "jobs" || table === "runs" || table === "attempts" || table === "facts";
  return isTable && day !== undefined && cluster !== undefined ? { table, day, cluster } : undefined;
}

/** Whether a key is the one of a part of a single hour. A compaction replaces such parts. */
export function isHourPart(key: string): boolean {
  return partitionOfKey(key) !== undefined && /\/part--?\d+-h\d{2}(?:-[^/]+)?\.parquet$/.test(key);
}
