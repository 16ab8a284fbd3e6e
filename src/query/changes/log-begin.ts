import type { ClusterName } from "../../job/model/ids.ts";
import { dayBegin, type Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { logDayKey, logHourOf } from "../../ports/meta-key.ts";
import { hourBegin } from "../../segment/pack-key.ts";

/**
 * Where the log of the cluster now begins: at the first day with items of the cluster, or at the first hour with packs,
 * which may be of any cluster. `undefined` if there are neither.
 */
export async function logBegin(meta: MetaStore, cluster: ClusterName): Promise<Instant | undefined> {
  const prefix = logDayKey(cluster, "");
  const [days, hours] = await Promise.all([
    meta.list("logDay", { prefix, limit: 1 }),
    meta.list("logHour", { prefix: "", limit: 1 }),
  ]);
  const begins = [
    ...days.records.map(({ key }) => dayBegin(key.slice(prefix.length))),
    ...hours.records.map(({ key }) => hourBegin(logHourOf(key).hour)),
  ].filter((begin) => begin !== undefined);
  return begins.length === 0 ? undefined : Math.min(...begins);
}
