import type { Instant } from "../job/model/instant.ts";
import type { LogDay, LogKey } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import { REPLAY_KEY } from "../ports/meta-key.ts";
import type { ProjectionName } from "../ports/projections.ts";

/** How far a replay is: enough to go on from, in whatever process. */
export interface ReplayCheckpoint {
  /** The projection that is built; the other one answers meanwhile. */
  readonly building: ProjectionName;
  readonly stage: /** Emptying it. */
    | { readonly stage: "clearing" }
    /** Folding the log. `day` and all before it have been folded up to `after`; absent before the first. */
    | { readonly stage: "folding"; readonly day?: LogDay; readonly after?: LogKey }
    /** `switched`: what was built answers. `incomplete`: some items cannot be folded, and the other one goes on answering. */
    | { readonly stage: "ended"; readonly outcome: "switched" | "incomplete" };
  /** Log items folded so far. */
  readonly segments: number;
  /** Items that could not be folded: they are tried once more when all others are. */
  readonly failed: readonly LogKey[];
  /** Until when whoever is at it is not to be disturbed: a process that was killed may not let go. */
  readonly heldUntil: Instant;
}

export interface StoredCheckpoint {
  readonly checkpoint: ReplayCheckpoint;
  readonly version: number;
}

export async function readCheckpoint(meta: MetaStore): Promise<StoredCheckpoint | undefined> {
  const record = await meta.read("position", REPLAY_KEY);
  return record && { checkpoint: JSON.parse(record.value) as ReplayCheckpoint, version: record.version };
}

/** Writes how far it is, unless somebody else has taken the replay over. */
export async function writeCheckpoint(
  meta: MetaStore,
  checkpoint: ReplayCheckpoint,
  expected: number,
): Promise<StoredCheckpoint | "conflict"> {
  const written = await meta.write("position", REPLAY_KEY, JSON.stringify(checkpoint), expected);
  return written.outcome === "conflict" ? "conflict" : { checkpoint, version: written.version };
}
