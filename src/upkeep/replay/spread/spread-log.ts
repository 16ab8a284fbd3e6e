import { createHash } from "node:crypto";
import type { Refold } from "../../../ports/refold-queue.ts";
import type { LogItem } from "../../../ports/log.ts";
import type { JobPorts } from "../../../projection/project-job.ts";
import { readUnit, type UnitStores } from "../units/read-unit.ts";
import { type LogUnit, unitId } from "../units/replay-unit.ts";
import type { UnitBatch } from "../units/run-unit.ts";
import type { RunGroup } from "../../../projection/group-facts.ts";
import { MemoryStates } from "./memory-states.ts";
import { PartialRuns } from "./partial-runs.ts";
import { groupText, spread, type SpreadEntry, type SpreadGroup, type SpreadPlace } from "./spread-objects.ts";

export interface LogSpread extends UnitStores {
  readonly place: SpreadPlace;
  /** Projects items into these states, and returns those that failed. */
  readonly project: (states: PartialStates, items: readonly LogItem[]) => Promise<readonly Refold[]>;
  /** Whether there is time to collect more. @default always */
  readonly hasTime?: (() => boolean) | undefined;
}

/** Where the projected items go. */
export type PartialStates = Required<Pick<JobPorts, "jobs" | "onRuns">>;

/**
 * Facts that are joined together. More facts join a Job fewer times: 1.3 ms of CPU at once, 4 ms in 16 batches. A fact
 * takes 1 KB of memory, and 5 KB at most.
 */
const FACTS_AT_ONCE = 150_000;
/** How many bytes of states are collected in memory before they are spread. */
const MOST_BYTES = 96 * 2 ** 20;

/**
 * Folds a unit of the log into partial states: the state of each Job as if the log had these segments only, and what
 * they have about each run. They are spread when the unit ends, when they fill the memory, or when the time is up.
 */
export async function* spreadLog(ports: LogSpread, unit: LogUnit, from?: string): AsyncGenerator<UnitBatch> {
  let collected = new Collected(ports, unit);
  for await (const { items, place } of readUnit({ factsAtOnce: FACTS_AT_ONCE, ...ports }, unit, from)) {
    await collected.add(items, place);
    if (collected.bytes < MOST_BYTES && ports.hasTime?.() !== false) continue;
    yield collected.batch();
    collected = new Collected(ports, unit);
  }
  if (collected.segments > 0) yield collected.batch();
}

class Collected {
  readonly #states = new MemoryStates();
  readonly #runs = new PartialRuns();
  segments = 0;
  readonly #ports: LogSpread;
  readonly #unit: LogUnit;
  readonly #failed: Refold[] = [];
  #facts = 0;
  #place = "";

  constructor(ports: LogSpread, unit: LogUnit) {
    this.#ports = ports;
    this.#unit = unit;
  }

  get bytes(): number {
    return this.#states.bytes + this.#runs.bytes;
  }

  async add(items: readonly LogItem[], place: string): Promise<void> {
    const into = { jobs: this.#states, onRuns: (runs: readonly RunGroup[]) => this.#runs.add(runs) };
    this.#failed.push(...(await this.#ports.project(into, items)));
    this.segments += items.length;
    this.#facts += items.reduce((sum, { factCount }) => sum + factCount, 0);
    this.#place = place;
  }

  batch(): UnitBatch {
    return {
      place: this.#place,
      segments: this.segments,
      facts: this.#facts,
      isCollected: true,
      apply: async (version) => {
        const name = groupName(unitId(this.#unit), version);
        const jobs = await this.#spread({ kind: "log", name }, await this.#states.whole());
        const runs = await this.#spread({ kind: "runs", name }, this.#runs.entries());
        return { failed: this.#failed, spread: [...jobs, ...runs] };
      },
    };
  }

  async #spread(group: Pick<SpreadGroup, "kind" | "name">, entries: readonly SpreadEntry[]) {
    return entries.length === 0 ? [] : [groupText(await spread(this.#ports.place, group, entries))];
  }
}

/** No other worker has the version of the unit's record, so an object is never one of an attempt that was killed. */
export function groupName(unit: string, version: number): string {
  return `${createHash("sha256").update(unit).digest("hex").slice(0, 16)}-${version}`;
}
