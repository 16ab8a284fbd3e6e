import type { Instant } from "../../../job/model/instant.ts";
import type { LogKey } from "../../../ports/log.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import { UNIT_PREFIX } from "../../../ports/meta-key.ts";
import { listDecoded } from "../../../ports/records/record-codec.ts";
import { type RefusedJob, unitRecord } from "../../../ports/records/replay/unit-record.ts";

/** How far the units of a replay are. */
export interface UnitProgress {
  /** The ids of units that are done. */
  readonly done: ReadonlySet<string>;
  readonly segments: number;
  readonly facts: number;
  readonly failed: readonly LogKey[];
  /** Jobs that could not be corrected. */
  readonly refused: readonly RefusedJob[];
  /** What all units have spread. */
  readonly spread: readonly string[];
  /** Whether a unit stopped because too many of its items failed: the rest of it was not read. */
  readonly isBroken: boolean;
  /** The latest time at which a worker may still be active. */
  readonly heldUntil: Instant;
}

/** The number of failed items, or of refused Jobs, at which a unit stops. Its record then has about 100 KB. */
export const MOST_FAILED = 1_000;

const NONE: UnitProgress = {
  done: new Set(),
  segments: 0,
  facts: 0,
  failed: [],
  refused: [],
  spread: [],
  isBroken: false,
  heldUntil: 0,
};

/** Reads the record of each unit of a replay. */
export async function unitProgress(meta: MetaStore, run: number): Promise<UnitProgress> {
  let progress = NONE;
  const done = new Set<string>();
  const spread: string[] = [];
  for await (const { key, value } of listDecoded(meta, unitRecord, UNIT_PREFIX)) {
    if (value.run !== run) continue;
    if (value.isDone) done.add(key.slice(UNIT_PREFIX.length));
    spread.push(...(value.spread ?? []));
    progress = {
      done,
      spread,
      segments: progress.segments + value.segments,
      facts: progress.facts + value.facts,
      failed: [...progress.failed, ...value.failed],
      refused: [...progress.refused, ...(value.refused ?? [])],
      isBroken: progress.isBroken || value.failed.length >= MOST_FAILED,
      heldUntil: Math.max(progress.heldUntil, value.heldUntil),
    };
  }
  return progress;
}
