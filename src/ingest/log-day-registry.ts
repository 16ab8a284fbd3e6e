import type { LogDay } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import { logDayKey } from "../ports/meta-key.ts";

/**
 * Which days the log has: a replay reads these and no others. The day is written down before its first item, so that no item lies in a day nobody knows of.
 * Remembers what it wrote: one read for each day and process.
 */
export class LogDayRegistry {
  readonly #meta: MetaStore;
  readonly #noted = new Set<string>();

  constructor(meta: MetaStore) {
    this.#meta = meta;
  }

  async note({ cluster, day }: LogDay): Promise<void> {
    const key = logDayKey(cluster, day);
    if (this.#noted.has(key)) return;
    if ((await this.#meta.read("logDay", key)) === undefined) await this.#meta.write("logDay", key, "{}", 0);
    this.#noted.add(key);
  }
}
