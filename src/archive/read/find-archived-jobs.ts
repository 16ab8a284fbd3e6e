import pLimit from "p-limit";
import { decodeJobUid, type JobUid } from "../../job/model/ids.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { isState } from "../../job/model/states.ts";
import type { ArchivedGeneration, ArchivedName } from "../../ports/archived-jobs.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { type ArchiveHour, hourOf } from "../layout/archive-hour.ts";
import type { TableRow } from "../parquet/column.ts";
import { findRows } from "../parquet/read-part.ts";
import { listJobParts } from "./job-parts.ts";

/** A row of table `jobs`: the last revision of one Job. */
export interface ArchivedRow extends ArchivedGeneration {
  readonly jobUid: JobUid;
  /** The hours of the archive that have facts about the Job, in order. */
  readonly hours: readonly ArchiveHour[];
}

export interface RowsWanted extends Omit<ArchivedName, "uid"> {
  readonly now: Instant;
}

/** Parts that are read at the same time. Each takes two or three requests, one after the other. */
const PARTS_AT_ONCE = 32;

/** All Jobs of a name that the archive has, newest first. Reads the footer of each part of the cluster. */
export async function findArchivedJobs(
  store: ObjectStore,
  { cluster, namespace, name, now }: RowsWanted,
): Promise<readonly ArchivedRow[]> {
  const newest = new Map<string, TableRow>();
  const parts = await listJobParts(store, { cluster, now });
  const found = await pLimit(PARTS_AT_ONCE).map(parts, ({ key, bytes }) =>
    findRows({ store, key, bytes }, { column: "name", value: name }),
  );
  for (const row of found.flat()) {
    const uid = String(row["uid"]);
    const known = newest.get(uid)?.["revision"];
    if (row["namespace"] === namespace && !(Number(known) >= Number(row["revision"]))) newest.set(uid, row);
  }
  const rows = [...newest.values()].sort((a, b) => createdAt(b) - createdAt(a));
  return rows.flatMap((row) => archivedRow(row) ?? []);
}

function createdAt(row: TableRow): Instant {
  return instantOf(row["created_at"]) ?? 0;
}

function archivedRow(row: TableRow): ArchivedRow | undefined {
  const jobUid = decodeJobUid(row["uid"]);
  const state = String(row["verdict_state"]);
  const hours: unknown = row["archive_hours"];
  if (jobUid === undefined || !isState(state) || !Array.isArray(hours)) return undefined;
  const finishedAt = instantOf(row["finished_at"]);
  return {
    jobUid,
    uid: jobUid,
    state,
    createdAt: formatInstant(createdAt(row)),
    ...(finishedAt !== undefined && { finishedAt: formatInstant(finishedAt) }),
    hours: hours.flatMap((begin) => hourOf(instantOf(begin) ?? Number.NaN)).filter((hour) => !Number.isNaN(hour)),
  };
}

function instantOf(value: unknown): Instant | undefined {
  return value instanceof Date ? value.getTime() : undefined;
}
