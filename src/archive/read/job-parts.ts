import pLimit from "p-limit";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { ObjectEntry, ObjectStore } from "../../ports/object-store.ts";
import { dayText, HOUR_MILLIS, HOURS_PER_DAY } from "../layout/archive-hour.ts";
import { partitionOfKey, partitionPath } from "../layout/archive-keys.ts";

export interface PartsWanted {
  readonly cluster: ClusterName;
  /** No row has a later day. */
  readonly now: Instant;
}

/** Keys in a page of ListObjectsV2. An archive with fewer parts is listed in one request. */
const PAGE = 1_000;
/** Days that are listed at the same time. Each takes one request. */
const DAYS_AT_ONCE = 32;
/** The clocks of Nodes, which date the ends of Jobs, may be ahead. */
const DAYS_AHEAD = 2;

/** The parts of table `jobs` that have rows of a cluster, oldest day first. */
export async function listJobParts(store: ObjectStore, wanted: PartsWanted): Promise<readonly ObjectEntry[]> {
  const entries: ObjectEntry[] = [];
  for await (const entry of store.list("jobs/")) {
    if (entries.length === PAGE) return listByDay(store, partitionOfKey(entries[0]?.key ?? "")?.day ?? "", wanted);
    entries.push(entry);
  }
  return entries.filter(({ key }) => partitionOfKey(key)?.cluster === wanted.cluster);
}

/** Lists day by day. Listing the parts of all clusters would take more requests, which cannot run in parallel. */
async function listByDay(
  store: ObjectStore,
  firstDay: string,
  { cluster, now }: PartsWanted,
): Promise<readonly ObjectEntry[]> {
  const days = daysBetween(Date.parse(`${firstDay}T00:00:00Z`), now + DAYS_AHEAD * DAY_MILLIS);
  const listed = await pLimit(DAYS_AT_ONCE).map(days, async (day) => {
    const parts: ObjectEntry[] = [];
    for await (const part of store.list(`${partitionPath({ table: "jobs", day, cluster })}/`)) parts.push(part);
    return parts;
  });
  return listed.flat();
}

const DAY_MILLIS = HOURS_PER_DAY * HOUR_MILLIS;

function daysBetween(first: Instant, last: Instant): readonly string[] {
  const days: string[] = [];
  for (let begin = first; begin <= last; begin += DAY_MILLIS) days.push(dayText(begin));
  return days;
}
