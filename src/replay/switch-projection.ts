import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { LivePointer } from "../ports/records/live-record.ts";
import type { ProjectionName } from "../ports/projections.ts";
import { moveLivePointer, readLivePointer } from "../projection/live-projection.ts";
import { readCheckpoint } from "./replay-checkpoint.ts";

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
 * began.
 */
export async function switchProjection(meta: MetaStore, now: Instant): Promise<Switched> {
  return moveTrial(meta, "switched", ({ live, other }) => ({ live: other, building: live, switchedAt: now }));
}

/** Ends a trial: only the projection that answers is kept up to date from now on. */
export async function endTrial(meta: MetaStore): Promise<Switched> {
  return moveTrial(meta, "ended", ({ live }) => ({ live }));
}

interface Trial {
  readonly live: ProjectionName;
  readonly other: ProjectionName;
}

async function moveTrial(
  meta: MetaStore,
  outcome: "switched" | "ended",
  target: (trial: Trial) => LivePointer,
): Promise<Switched> {
  const pointer = await readLivePointer(meta);
  const { live, building: other } = pointer;
  if (other === undefined) return { outcome: "alone", live };
  if (!(await isComplete(meta))) return { outcome: "building", live };
  const moved = await moveLivePointer(meta, pointer, target({ live, other }));
  return moved === "conflict" ? { outcome: "conflict" } : { outcome, live: moved.live };
}

/** The pointer names a second projection from the begin of a replay; it is complete when the replay has ended. */
async function isComplete(meta: MetaStore): Promise<boolean> {
  const stored = await readCheckpoint(meta);
  return stored?.checkpoint.stage.stage === "ended" && stored.checkpoint.stage.outcome === "kept";
}
