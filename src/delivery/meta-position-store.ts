import type { ClusterName } from "../job/model/ids.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { PositionStore } from "../ports/position-store.ts";

/** The position beside the Jobs it led to: kind `position`, by the cluster's name. One process writes it; a conflict is read again. */
export function createMetaPositionStore(meta: MetaStore, cluster: ClusterName): PositionStore {
  const write = async (position: string): Promise<void> => {
    const stored = await meta.read("position", cluster);
    const written = await meta.write("position", cluster, position, stored?.version ?? 0);
    if (written.outcome === "conflict") await write(position);
  };
  return { read: async () => (await meta.read("position", cluster))?.value, write };
}
