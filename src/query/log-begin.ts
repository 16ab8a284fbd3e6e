import type { ClusterName } from "../job/ids.ts";
import { type Instant, parseInstant } from "../job/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import { logDayKey } from "../ports/meta-key.ts";

/** The first instant of the first day that the log of a cluster has items of; `undefined` while it has none. */
export async function logBegin(meta: MetaStore, cluster: ClusterName): Promise<Instant | undefined> {
  const prefix = logDayKey(cluster, "");
  const { records } = await meta.list("logDay", { prefix, limit: 1 });
  return dayBegin(records[0]?.key.slice(prefix.length));
}

function dayBegin(day: string | undefined): Instant | undefined {
  return day === undefined
    ? undefined
    : parseInstant(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}T00:00:00Z`);
}
