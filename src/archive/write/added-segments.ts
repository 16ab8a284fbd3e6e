import type { ClusterName } from "../../job/model/ids.ts";
import type { Log } from "../../ports/log.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import type { ArchiveHour } from "../layout/archive-hour.ts";
import type { ManifestName } from "../layout/archive-keys.ts";
import { sha256Of } from "../layout/manifest.ts";
import { hourHashes } from "../read/archived-segments.ts";
import { type ClusterLog, hourSegments } from "./hour-segments.ts";

/** A segment that arrived in an hour after the hour was archived. */
export interface AddedSegment {
  readonly cluster: ClusterName;
  readonly sk: string;
  readonly hour: ArchiveHour;
}

export interface AddedSearch {
  readonly chain: readonly ManifestName[];
  readonly clusters: readonly ClusterLog[];
}

/**
 * Only the current hour and the one before it can be archived before they are closed. When a later hour is archived,
 * their segments are moved to it.
 */
const LAST_HOURS = 2;

/**
 * The segments that an archived hour lacks, because the hour was not closed when it was archived. Compares the last
 * hours of the chain with the log. A log with packs has none: only closed hours of it are archived.
 */
export async function addedSegments(
  { log, store }: { readonly log: Log; readonly store: ObjectStore },
  { chain, clusters }: AddedSearch,
): Promise<readonly AddedSegment[]> {
  if (log.packs !== undefined) return [];
  const added: AddedSegment[] = [];
  for (const { hour } of chain.filter(({ kind }) => kind === "hour").slice(-LAST_HOURS)) {
    const archived = await hourHashes(store, hour);
    for (const source of clusters) {
      for await (const { key, bytes } of hourSegments(log, source, hour)) {
        if (!archived.has(sha256Of(bytes))) added.push({ cluster: source.cluster, sk: key.sk, hour });
      }
    }
  }
  return added;
}
