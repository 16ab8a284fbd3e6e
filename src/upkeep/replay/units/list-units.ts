import type { ClusterName } from "../../../job/model/ids.ts";
import { EARLIEST, type Instant } from "../../../job/model/instant.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import { hourBegin } from "../../../segment/pack-key.ts";
import { logDays, mergedHours } from "../../../log/read-log.ts";
import type { LogUnit } from "./replay-unit.ts";

/**
 * The most units of a log. Step Functions passes their names in one state of at most 256 KiB (Step Functions quotas),
 * and a name has at most 90 bytes.
 */
const MOST_UNITS = 1_000;
const QUARTER_MS = 15 * 60_000;
const QUARTERS_PER_HOUR = 4;

/** The units that together have every segment of the log: the days of each cluster, then the packs by arrival. */
export async function listUnits(meta: MetaStore, most = MOST_UNITS): Promise<readonly LogUnit[]> {
  const ofDays = await unitsOfDays(meta, most);
  return [...ofDays, ...(await unitsOfPacks(meta, { since: EARLIEST, most }))];
}

/** The units that have every pack that arrived at `since` or later. */
export function listUnitsSince(meta: MetaStore, since: Instant): Promise<readonly LogUnit[]> {
  return unitsOfPacks(meta, { since, most: MOST_UNITS });
}

async function unitsOfDays(meta: MetaStore, most: number): Promise<readonly LogUnit[]> {
  const days = new Map<ClusterName, string[]>();
  let count = 0;
  for await (const { cluster, day } of logDays(meta)) {
    const known = days.get(cluster) ?? [];
    days.set(cluster, known);
    known.push(day);
    count += 1;
  }
  return [...days].flatMap(([cluster, all]) =>
    chunksOf(all, Math.ceil(count / most)).map((some): LogUnit => ({
      kind: "days",
      cluster,
      from: some[0] ?? "",
      to: some.at(-1) ?? "",
    })),
  );
}

/** The length of units: a quarter of an hour, or one or more whole hours for a long log. */
async function unitsOfPacks(
  meta: MetaStore,
  { since, most }: { readonly since: Instant; readonly most: number },
): Promise<readonly LogUnit[]> {
  const quarters: number[] = [];
  for await (const [shard] of mergedHours(meta)) {
    const begin = hourBegin(shard?.hour ?? "");
    if (begin === undefined) continue;
    for (let quarter = 0; quarter < QUARTERS_PER_HOUR; quarter += 1) {
      const from = begin + quarter * QUARTER_MS;
      if (from + QUARTER_MS > since) quarters.push(from);
    }
  }
  return chunksOf(quarters, Math.ceil(quarters.length / most)).map((some): LogUnit => {
    const [from = 0] = some;
    return { kind: "packs", from, to: (some.at(-1) ?? from) + QUARTER_MS };
  });
}

function chunksOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const chunks: (readonly Item[])[] = [];
  for (let begin = 0; begin < items.length; begin += size) chunks.push(items.slice(begin, begin + size));
  return chunks;
}
