import { logWithArchive } from "../../src/archive/read/log-with-archive.ts";
import type { WholeLogSettings } from "../../src/ports/deployment/settings/function-settings.ts";
import { archiveOnDemand } from "./archive-on-demand.ts";
import { type AllStores, openAllStores } from "./stores.ts";

/** The stores of a function that reads the whole log, also what only the archive still has. */
export function openWholeLog({ tables, archive }: WholeLogSettings): AllStores {
  const stores = openAllStores(tables);
  if (archive === undefined) return stores;
  return { ...stores, log: logWithArchive({ ...stores, store: archiveOnDemand(archive) }) };
}
