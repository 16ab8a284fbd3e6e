import type { LogHour, LogItem, LogKey, LogPack, PackedLog, PackPage, PackRange } from "../../../src/ports/log.ts";
import { hourPartition } from "../../../src/segment/pack-key.ts";
import { MemoryLog } from "./memory-log.ts";

/** A log in memory with packs. */
export class MemoryPackedLog extends MemoryLog {
  readonly #packs = new Map<string, LogPack>();
  /** How many packs may be appended before the store is unavailable. */
  takes = Number.POSITIVE_INFINITY;

  get allPacks(): readonly LogPack[] {
    return [...this.#packs.values()];
  }

  override async read(key: LogKey): Promise<LogItem | undefined> {
    const { pack: place } = key;
    if (place === undefined) return super.read(key);
    return this.allPacks
      .flatMap(({ items }) => items)
      .find(({ key: { pk, sk, pack } }) => {
        return pk === key.pk && sk === key.sk && pack?.shard === place.shard && pack.arrivedAt === place.arrivedAt;
      });
  }

  readonly packs: PackedLog = {
    append: async (pack) => {
      if (this.takes <= 0) throw new Error("The store is unavailable.");
      this.takes -= 1;
      const id = `${hourPartition(pack.hour)} ${pack.sk}`;
      if (!this.#packs.has(id)) this.#packs.set(id, pack);
    },
    readHour: async (hour, range) => this.#readHour(hour, range),
  };

  #readHour(hour: LogHour, { after = "", before, limit }: PackRange): PackPage {
    const packs = this.allPacks
      .filter((pack) => hourPartition(pack.hour) === hourPartition(hour))
      .filter(({ sk }) => sk > after && (before === undefined || sk < before))
      .sort((a, b) => (a.sk < b.sk ? -1 : 1));
    const page = packs.slice(0, limit);
    const last = page.at(-1);
    return packs.length > limit && last !== undefined ? { packs: page, next: last.sk } : { packs: page };
  }
}
