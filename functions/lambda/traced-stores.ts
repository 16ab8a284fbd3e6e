import type { AllTables } from "../../src/ports/deployment/settings/function-settings.ts";
import { liveStores } from "../../src/projection/live-projection.ts";
import type { QueryPorts } from "../../src/query/ports.ts";
import type { AllStores } from "./stores.ts";

type Records = Pick<AllTables, "meta" | "retentionDays">;
type Traced = Pick<AllTables, "log" | "jobs" | "runs">;

const NONE = "Cannot read the run of a trace: the stage has no receiver of traces.";

/**
 * Loads and opens the stores of Jobs and runs with the first trace: a stage without receivers of traces starts faster,
 * and has none to read.
 */
export function tracedStores(records: Records, traced: Traced | undefined): () => Promise<QueryPorts> {
  let stores: AllStores | undefined;
  return async () => {
    if (traced === undefined) throw new TypeError(NONE);
    const { openAllStores } = await import("./stores.ts");
    stores ??= openAllStores({ ...records, ...traced });
    const { log, meta, projections } = stores;
    return { log, meta, ...(await liveStores(projections, meta)) };
  };
}
