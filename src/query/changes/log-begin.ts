import type { ClusterName } from "../../job/model/ids.ts";
import { dayBegin, type Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { logDayKey } from "../../ports/meta-key.ts";

/** The start of the first day with log items of the cluster; `undefined` if there are none. */
export async function logBegin(meta: MetaStore, cluster: ClusterName): Promise<Instant | undefined> {
  const prefix = logDayKey(cluster, "");
  const { records } = await meta.list("logDay", { prefix, limit: 1 });
  const [first] = records;
  return first && dayBegin(first.key.slice(prefix.length));
}
