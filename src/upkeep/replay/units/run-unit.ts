import type { Refold } from "../../../ports/refold-queue.ts";
import type { Instant } from "../../../job/model/instant.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import { unitKey } from "../../../ports/meta-key.ts";
import { readRecord, writeRecord } from "../../../ports/records/record-codec.ts";
import { type RefusedJob, type UnitRecord, unitRecord } from "../../../ports/records/replay/unit-record.ts";
import { MOST_FAILED } from "./unit-progress.ts";

export interface UnitPorts {
  readonly meta: MetaStore;
  /** Runs `work` in one transaction. @default without one */
  readonly atOnce?: (work: () => Promise<void>) => Promise<void>;
}

/** A part of a unit's work, after which its record is written. */
export interface UnitBatch {
  /** Where the unit continues afterwards. */
  readonly place: string;
  readonly segments: number;
  readonly facts: number;
  /** Whether most of the work is done already: it is applied although no time is left. @default false */
  readonly isCollected?: boolean;
  /**
   * Does the work. Doing it twice must change nothing. `version` is that of the unit's record: no other worker writes
   * the record after it.
   */
  readonly apply: (version: number) => Promise<AppliedBatch>;
}

export interface AppliedBatch {
  readonly failed: readonly Refold[];
  /** The groups that were spread (spread/). @default none */
  readonly spread?: readonly string[];
  /** Jobs that could not be corrected. @default none */
  readonly refused?: readonly RefusedJob[];
}

export interface UnitWork {
  /** Names the unit among the units of the replay. */
  readonly id: string;
  readonly run: number;
  /** What is left of the unit after `place`. */
  readonly batches: (place?: string) => AsyncIterable<UnitBatch>;
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
  const stored = await readRecord(ports.meta, unitRecord, unitKey(work.id));
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
    const { batches, hasTime = () => true, isCurrent } = this.#work;
    for await (const batch of batches(this.#stored.record.place)) {
      if (!(await isCurrent())) return "overtaken";
      const isCollected = batch.isCollected === true;
      if (!isCollected && !hasTime()) return "paused";
      if (!(await this.#process(batch))) return "overtaken";
      if (this.#isBroken()) break;
      if (isCollected && !hasTime()) return "paused";
    }
    return "done";
  }

  #isBroken(): boolean {
    const { failed, refused = [] } = this.#stored.record;
    return Math.max(failed.length, refused.length) >= MOST_FAILED;
  }

  /** `false`: another worker continues the unit. */
  async #process({ place, segments, facts, apply }: UnitBatch): Promise<boolean> {
    const { atOnce = (some: () => Promise<void>) => some() } = this.#ports;
    const written = { value: false };
    await atOnce(async () => {
      const { failed, spread = [], refused = [] } = await apply(this.#stored.version);
      const { record } = this.#stored;
      written.value = await this.#write({
        place,
        segments: record.segments + segments,
        facts: record.facts + facts,
        failed: [...record.failed, ...failed.map(({ key }) => key)],
        ...(spread.length > 0 && { spread: [...(record.spread ?? []), ...spread] }),
        ...(refused.length > 0 && { refused: [...(record.refused ?? []), ...refused].slice(0, MOST_FAILED) }),
      });
    });
    if (written.value) this.#work.onProgress?.(segments);
    return written.value;
  }

  async #write(change: Partial<UnitRecord>): Promise<boolean> {
    const { record, version } = this.#stored;
    const { id, hold } = this.#work;
    const heldUntil = hold === undefined ? 0 : hold.now() + hold.millis;
    const { place, ...rest } = { ...record, heldUntil, ...change };
    // The place in a table contains the uid of a Job, which may be erased later.
    const value = { ...rest, ...(place !== undefined && !rest.isDone && { place }) };
    const written = await writeRecord(this.#ports.meta, unitRecord, { key: unitKey(id), value, expected: version });
    if (written.outcome === "conflict") return false;
    this.#stored = { record: value, version: written.version };
    return true;
  }
}
