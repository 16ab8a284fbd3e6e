import type { Log, LogDay } from "../../ports/log.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import type { JobView } from "../../projection/job-state/read-job.ts";
import { readWholeDay } from "../../log/read-log.ts";
import type { ArchiveHour } from "../layout/archive-hour.ts";
import { sha256Of } from "../layout/manifest.ts";
import { hourHashes } from "../read/archived-segments.ts";
import type { Arrivals } from "../write/arrivals.ts";

/** How far the archive of a cluster is verified. */
export interface ArchivedThrough {
  readonly arrivals: Arrivals;
  /** The last verified hour. */
  readonly through: ArchiveHour;
}

/** Whether the archive has every segment with facts about a Job. */
export async function isJobArchived(
  view: Pick<JobView, "logKeys">,
  { arrivals, through }: ArchivedThrough,
): Promise<boolean> {
  for await (const key of view.logKeys()) if (arrivals.hourOfKey(key) > through) return false;
  return true;
}

/**
 * Whether the archive has every segment of a day, byte by byte. Reads the segment files of its hours again, because
 * the log is about to lose the only other copy. Throws ArchiveDamagedError.
 */
export async function isDayArchived(
  { log, store }: { readonly log: Log; readonly store: ObjectStore },
  day: LogDay,
  { arrivals, through }: ArchivedThrough,
): Promise<boolean> {
  const logged = new Set<string>();
  const hours = new Set<ArchiveHour>();
  for await (const items of readWholeDay(log, day)) {
    for (const { key, bytes } of items) {
      logged.add(sha256Of(bytes));
      hours.add(arrivals.hourOf(key.sk));
    }
  }
  for (const hour of hours) {
    if (hour > through) return false;
    for (const sha256 of await hourHashes(store, hour)) logged.delete(sha256);
  }
  return logged.size === 0;
}
