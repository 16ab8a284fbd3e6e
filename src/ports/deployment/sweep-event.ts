import * as v from "valibot";
import { SWEEP_SHARDS } from "./limits.ts";

/** What the schedule of the sweep sends: which shard to visit. Without one, all are visited, one after the other. */
export interface SweepEvent {
  readonly shard?: number;
}

const shard = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(SWEEP_SHARDS - 1));
const event = v.looseObject({ shard: v.exactOptional(shard) });

/** Throws {@link SweepEventError} for a shard that does not exist. */
export function readSweepEvent(received: unknown): SweepEvent {
  const read = v.safeParse(event, received ?? {});
  if (!read.success) throw new SweepEventError(received);
  return read.output;
}

/** The function was invoked with something else. */
export class SweepEventError extends Error {
  override readonly name = "SweepEventError";

  constructor(received: unknown) {
    super(
      `Unsupported event: ${JSON.stringify(received)}. ` +
        `Expected {"shard": 0} to {"shard": ${SWEEP_SHARDS - 1}}, or {} for all shards.`,
    );
  }
}
