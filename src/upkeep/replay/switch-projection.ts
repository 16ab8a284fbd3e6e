import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { LivePointer } from "../../ports/records/live-record.ts";
import type { ProjectionName } from "../../ports/projections.ts";
import { moveLivePointer, readLivePointer, type StoredPointer } from "../../projection/live-projection.ts";
import { type Compared, compareProjections, type ComparePorts } from "./compare-projections.ts";
import { readCheckpoint } from "./stored-checkpoint.ts";

export type Switched =
  | { readonly outcome: "switched" | "ended"; readonly live: ProjectionName }
  /** There is no second projection that is kept up to date. */
  | { readonly outcome: "alone"; readonly live: ProjectionName }
  /** The second projection is not complete yet. */
  | { readonly outcome: "building"; readonly live: ProjectionName }
  /** Another process moved the pointer at the same time. */
  | { readonly outcome: "conflict" };

/**
 * Lets the other projection of a trial answer. Both are kept up to date, so that a further switch goes back without
 * loss. `now` is recorded as the time of the switch. A query that has begun is answered by the projection with which it
 * began. `settle` updates what is derived from the other projection; the switch is the last step.
 */
export async function switchProjection(
  meta: MetaStore,
  now: Instant,
  settle: (other: ProjectionName) => Promise<unknown> = async () => undefined,
): Promise<Switched> {
  const pointer = await readLivePointer(meta);
  const { live, building: other, kept } = pointer;
  if (other === undefined || !(await isTrialComplete(meta))) return refusal(pointer);
  await settle(other);
  return move(meta, "switched", {
    pointer,
    to: { live: other, building: live, switchedAt: now, ...(kept && { kept }) },
  });
}

export interface EndOptions extends ComparePorts {
  /**
   * Ends the trial without a comparison, for this reason, which is recorded. @default it ends only if no Job differs
   */
  readonly despite?: string;
  /** Gets the number of Jobs compared so far. */
  readonly onProgress?: (jobs: number) => void;
}

export type Ended =
  | Switched
  /** The trial goes on. */
  | { readonly outcome: "different"; readonly compared: Compared };

/**
 * Ends a trial: only the projection that answers is kept up to date from now on. If the trial's projector writes it,
 * that projector continues until the next deployment, and the kept projectors never write it.
 */
export async function endTrial({ meta, despite, onProgress, ...ports }: EndOptions): Promise<Ended> {
  const pointer = await readLivePointer(meta);
  const { live, building, kept } = pointer;
  if (building === undefined || !(await isTrialComplete(meta))) return refusal(pointer);
  if (despite === undefined) {
    const compared = await compareProjections({ meta, ...ports }, onProgress);
    if (compared.different.length > 0) return { outcome: "different", compared };
  }
  const isTried = kept !== undefined && kept.projection !== live;
  const to = { live, ...(isTried && { kept }), ...(despite !== undefined && { endedDespite: despite }) };
  return move(meta, "ended", { pointer, to });
}

async function move(
  meta: MetaStore,
  outcome: "switched" | "ended",
  { pointer, to }: { readonly pointer: StoredPointer; readonly to: LivePointer },
): Promise<Switched> {
  const moved = await moveLivePointer(meta, pointer, to);
  return moved === "conflict" ? { outcome: "conflict" } : { outcome, live: moved.live };
}

function refusal({ live, building }: LivePointer): Switched {
  return { outcome: building === undefined ? "alone" : "building", live };
}

/**
 * Whether a trial has ended, so that both projections are kept up to date. The pointer names a second projection from
 * the begin of a replay; it is complete when the replay has ended.
 */
export async function isTrialComplete(meta: MetaStore): Promise<boolean> {
  const stored = await readCheckpoint(meta);
  return stored?.checkpoint.stage.stage === "ended" && stored.checkpoint.stage.outcome === "kept";
}
