import type { LogDay } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import { logDayKey } from "../ports/meta-key.ts";
import { MARKER } from "../ports/records/marker-record.ts";

/**
 * The days of the log, which a replay reads. A day is recorded before its first item, so that no item is missed. One
 * instance reads a record once per day and cluster.
 */
export class LogDayRegistry {
  readonly #meta: MetaStore;
  readonly #recorded = new Set<string>();

  constructor(meta: MetaStore) {
    this.#meta = meta;
  }

  async note({ cluster, day }: LogDay): Promise<void> {
    const key = logDayKey(cluster, day);
    if (this.#recorded.has(key)) return;
    if ((await this.#meta.read("logDay", key)) === undefined) {
      await this.#meta.write("logDay", key, { value: MARKER, expected: 0 });
    }
    this.#recorded.add(key);
  }
}
