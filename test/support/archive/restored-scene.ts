import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { LogHourRegistry } from "../../../src/log/log-hour-registry.ts";
import { appendRestored } from "../../../src/upkeep/restore/append-restored.ts";
import type { RestoredMessage, RestoreOutcome } from "../../../src/upkeep/restore/restore-request.ts";
import type { RestorePorts } from "../../../src/upkeep/restore/restore-segments.ts";
import { MemoryMetaStore } from "../stores/memory-meta-store.ts";
import { MemoryPackedLog } from "../stores/memory-packs.ts";

interface RestoredStores {
  readonly log?: MemoryPackedLog;
  readonly meta?: MemoryMetaStore;
}

/** The stores of a stage, by default a new one, and its ingest function. */
export class RestoredScene {
  readonly log: MemoryPackedLog;
  readonly meta: MemoryMetaStore;
  readonly ports: RestorePorts;
  /** How many segments each request to the function had. */
  readonly requests: number[] = [];
  readonly #now: number;
  readonly #shards: number;
  readonly #hours: LogHourRegistry;

  constructor(now: number, shards = 3, { log, meta }: RestoredStores = {}) {
    this.#now = now;
    this.#shards = shards;
    this.log = log ?? new MemoryPackedLog();
    this.meta = meta ?? new MemoryMetaStore();
    this.#hours = new LogHourRegistry(this.meta);
    this.ports = { log: this.log, append: this.append, retry: { attempts: 2, pause: async () => {} } };
  }

  readonly append = async (messages: readonly RestoredMessage[]): Promise<readonly RestoreOutcome[]> => {
    this.requests.push(messages.length);
    return appendRestored(
      {
        log: this.log,
        meta: this.meta,
        days: new LogDayRegistry(this.meta),
        packer: { packs: this.log.packs, hours: this.#hours, shards: this.#shards, now: () => Number.NaN },
        logDays: 430,
      },
      messages,
      this.#now,
    );
  };

  /** The bytes of every segment of the log, as text, sorted. */
  get segments(): readonly string[] {
    return segmentsIn(this.log);
  }
}

export function segmentsIn(log: MemoryPackedLog): readonly string[] {
  return log.allPacks.flatMap(({ items }) => items.map(({ bytes }) => Buffer.from(bytes).toString("base64"))).sort();
}
