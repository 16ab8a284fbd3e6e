import type { ClusterName } from "../../job/model/ids.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { PositionStore } from "../../ports/position-store.ts";

/** The position in the same database as the Jobs: kind `position`, by cluster name. One process writes it. */
export function createMetaPositionStore(meta: MetaStore, cluster: ClusterName): PositionStore {
  const write = async (position: string): Promise<void> => {
    const stored = await meta.read("position", cluster);
    const written = await meta.write("position", cluster, { value: position, expected: stored?.version ?? 0 });
    if (written.outcome === "conflict") await write(position);
  };
  return { read: async () => (await meta.read("position", cluster))?.value, write };
}
