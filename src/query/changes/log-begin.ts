import type { ClusterName } from "../../job/model/ids.ts";
import { dayBegin, type Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { logDayKey } from "../../ports/meta-key.ts";

/** The first instant of the first day that the log of a cluster has items of; `undefined` while it has none. */
export async function logBegin(meta: MetaStore, cluster: ClusterName): Promise<Instant | undefined> {
  const prefix = logDayKey(cluster, "");
  const { records } = await meta.list("logDay", { prefix, limit: 1 });
  const [first] = records;
  return first && dayBegin(first.key.slice(prefix.length));
}
