import { MARKER } from "../../ports/records/marker-record.ts";
import type { LogStores } from "./log-begins.ts";

/** The days of the log that no record of kind `logDay` names: a replay would not read their items. */
export async function unnamedLogDays({ log, meta }: LogStores): Promise<readonly string[]> {
  const unnamed: string[] = [];
  for (const pk of (await log.partitions?.()) ?? []) {
    if ((await meta.read("logDay", pk)) === undefined) unnamed.push(pk);
  }
  return unnamed;
}

/** Records these days. */
export async function restoreLogDays(stores: LogStores): Promise<void> {
  for (const pk of await unnamedLogDays(stores)) {
    await stores.meta.write("logDay", pk, { value: MARKER, expected: 0 });
  }
}
