import type { LogHour } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import { logHourKey } from "../ports/meta-key.ts";
import { MARKER } from "../ports/records/marker-record.ts";

/**
 * The hours of the shards of the log, which a replay reads. An hour is recorded before its first pack, so that no pack
 * is missed. One instance reads a record once per hour and shard.
 */
export class LogHourRegistry {
  readonly #meta: MetaStore;
  /** Remembers only the latest hour, because segments arrive in the present. */
  #recorded = new Set<string>();
  #hour = "";

  constructor(meta: MetaStore) {
    this.#meta = meta;
  }

  async note(hour: LogHour): Promise<void> {
    if (hour.hour !== this.#hour) this.#recorded = new Set();
    this.#hour = hour.hour;
    const key = logHourKey(hour);
    if (this.#recorded.has(key)) return;
    if ((await this.#meta.read("logHour", key)) === undefined) {
      await this.#meta.write("logHour", key, { value: MARKER, expected: 0 });
    }
    this.#recorded.add(key);
  }
}
