import type { Refold } from "../../../ports/refold-queue.ts";
import type { Instant } from "../../../job/model/instant.ts";
import type { LogItem } from "../../../ports/log.ts";
import { unitKey } from "../../../ports/meta-key.ts";
import { readRecord, writeRecord } from "../../../ports/records/record-codec.ts";
import { type UnitRecord, unitRecord } from "../../../ports/records/replay/unit-record.ts";
import { readUnit, type UnitBatch, type UnitStores } from "./read-unit.ts";
import { MOST_FAILED } from "./unit-progress.ts";
import { unitId, type WorkUnit } from "./replay-unit.ts";

export interface UnitPorts extends UnitStores {
  /** Runs `work` in one transaction. @default without one */
  readonly atOnce?: (work: () => Promise<void>) => Promise<void>;
}

export interface UnitWork {
  readonly unit: WorkUnit;
  readonly run: number;
  /** Processes items, and returns those that failed. Processing an item twice must change nothing. */
  readonly process: (items: readonly LogItem[]) => Promise<readonly Refold[]>;
  /** Whether the replay is still the current one. Called before each batch. */
  readonly isCurrent: () => Promise<boolean>;
  /** Whether there is time for another batch. @default always */
  readonly hasTime?: (() => boolean) | undefined;
  /** How long a worker marks the unit as its own. The mark does not prevent other workers. @default no mark */
  readonly hold?: { readonly now: () => Instant; readonly millis: number } | undefined;
  /** Gets the number of items of each batch. */
  readonly onProgress?: (segments: number) => void;
}

/** `paused`: the time was up. `overtaken`: another worker continues the unit, or another replay has started. */
export type UnitOutcome = "done" | "paused" | "overtaken";

/**
 * Processes a unit from the position that the last worker reached. The record of the unit is written after each batch,
 * on condition that no other worker wrote it: a worker that was killed repeats one batch at most, which changes nothing
 * again. A unit that is done is not read again.
 */
export async function runUnit(ports: UnitPorts, work: UnitWork): Promise<UnitOutcome> {
  const stored = await readRecord(ports.meta, unitRecord, unitKey(unitId(work.unit)));
  const known = stored?.value.run === work.run ? stored.value : undefined;
  if (known?.isDone === true) return "done";
  return new UnitWorker(ports, work, { record: known ?? beginning(work.run), version: stored?.version ?? 0 }).run();
}

function beginning(run: number): UnitRecord {
  return { run, segments: 0, facts: 0, failed: [], isDone: false, heldUntil: 0 };
}

interface Stored {
  readonly record: UnitRecord;
  readonly version: number;
}

class UnitWorker {
  readonly #ports: UnitPorts;
  readonly #work: UnitWork;
  #stored: Stored;

  constructor(ports: UnitPorts, work: UnitWork, stored: Stored) {
    this.#ports = ports;
    this.#work = work;
    this.#stored = stored;
  }

  async run(): Promise<UnitOutcome> {
    const isMarked = this.#work.hold === undefined || (await this.#write({}));
    const ended = isMarked ? await this.#processAll() : "overtaken";
    if (ended === "overtaken") return ended;
    return (await this.#write({ isDone: ended === "done", heldUntil: 0 })) ? ended : "overtaken";
  }

  async #processAll(): Promise<UnitOutcome> {
    const { unit, hasTime, isCurrent } = this.#work;
    for await (const batch of readUnit(this.#ports, unit, this.#stored.record.place)) {
      if (!(await isCurrent())) return "overtaken";
      if (hasTime?.() === false) return "paused";
      if (!(await this.#process(batch))) return "overtaken";
      if (this.#stored.record.failed.length >= MOST_FAILED) break;
    }
    return "done";
  }

  /** `false`: another worker continues the unit. */
  async #process({ items, place }: UnitBatch): Promise<boolean> {
    const { atOnce = (some: () => Promise<void>) => some() } = this.#ports;
    const written = { value: false };
    await atOnce(async () => {
      const failed = await this.#work.process(items);
      const { record } = this.#stored;
      written.value = await this.#write({
        place,
        segments: record.segments + items.length,
        facts: record.facts + items.reduce((sum, { factCount }) => sum + factCount, 0),
        failed: [...record.failed, ...failed.map(({ key }) => key)],
      });
    });
    if (written.value) this.#work.onProgress?.(items.length);
    return written.value;
  }

  async #write(change: Partial<UnitRecord>): Promise<boolean> {
    const { record, version } = this.#stored;
    const { unit, hold } = this.#work;
    const value = { ...record, heldUntil: hold === undefined ? 0 : hold.now() + hold.millis, ...change };
    const key = unitKey(unitId(unit));
    const written = await writeRecord(this.#ports.meta, unitRecord, { key, value, expected: version });
    if (written.outcome === "conflict") return false;
    this.#stored = { record: value, version: written.version };
    return true;
  }
}
