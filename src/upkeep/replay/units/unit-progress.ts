import type { Instant } from "../../../job/model/instant.ts";
import type { LogKey } from "../../../ports/log.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import { UNIT_PREFIX } from "../../../ports/meta-key.ts";
import { listDecoded } from "../../../ports/records/record-codec.ts";
import { unitRecord } from "../../../ports/records/replay/unit-record.ts";

/** How far the units of a replay are. */
export interface UnitProgress {
  /** Units that are done. */
  readonly done: number;
  readonly segments: number;
  readonly facts: number;
  readonly failed: readonly LogKey[];
  /** Whether a unit stopped because too many of its items failed: the rest of it was not read. */
  readonly isBroken: boolean;
  /** The latest time at which a worker may still be active. */
  readonly heldUntil: Instant;
}

/** The number of failed items at which a unit stops. Its record then has about 100 KB. */
export const MOST_FAILED = 1_000;

const NONE: UnitProgress = { done: 0, segments: 0, facts: 0, failed: [], isBroken: false, heldUntil: 0 };

/** Reads the record of each unit of a replay. */
export async function unitProgress(meta: MetaStore, run: number): Promise<UnitProgress> {
  let progress = NONE;
  for await (const { value } of listDecoded(meta, unitRecord, UNIT_PREFIX)) {
    if (value.run !== run) continue;
    progress = {
      done: progress.done + Number(value.isDone),
      segments: progress.segments + value.segments,
      facts: progress.facts + value.facts,
      failed: [...progress.failed, ...value.failed],
      isBroken: progress.isBroken || value.failed.length >= MOST_FAILED,
      heldUntil: Math.max(progress.heldUntil, value.heldUntil),
    };
  }
  return progress;
}
