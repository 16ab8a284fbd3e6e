import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ProjectionName } from "../ports/projections.ts";
import { moveLivePointer, readLivePointer } from "../projection/live-projection.ts";
import type { Refold } from "../projection/project-segments.ts";
import type { Retry } from "../concurrency/retry.ts";
import { foldLog, foldOnceMore, MOST_FAILED } from "./fold-log.ts";
import { readCheckpoint, type StoredCheckpoint, writeCheckpoint } from "./replay-checkpoint.ts";
import type { ReplayCheckpoint } from "../ports/records/replay-checkpoint.ts";
import type { ReplayPorts, ReplayRun } from "./replay-run.ts";

export type Rebuilt =
  | { readonly outcome: "switched"; readonly live: ProjectionName; readonly segments: number }
  /** A trial has ended: `live` still answers, and both projections are kept up to date. */
  | { readonly outcome: "kept"; readonly live: ProjectionName; readonly segments: number }
  /** Some segments cannot be projected: the old projection stays live. */
  | { readonly outcome: "incomplete"; readonly refold: readonly Refold[]; readonly segments: number }
  /** Another replay has started, and this one ended. */
  | { readonly outcome: "overtaken" };

export type Continued =
  | Rebuilt
  /** The time was up: continue it. */
  | { readonly outcome: "paused"; readonly segments: number }
  /** Another process has reserved it until this time. */
  | { readonly outcome: "held"; readonly until: Instant; readonly segments: number }
  /** No replay is running. */
  | { readonly outcome: "none" };

/**
 * Rebuilds the idle projection from the log, then switches to it. Reads and new segments continue meanwhile.
 *
 * The order of the steps makes it safe: the idle projection is emptied while no projector writes to it; then projectors
 * write to both; then the log is read. A segment is logged before it is projected, so the replay reads every earlier
 * segment.
 */
export async function rebuildProjection(
  ports: ReplayPorts,
  retry: Retry,
  { isTrial = false, onProgress = () => undefined }: RebuildOptions = {},
): Promise<Rebuilt> {
  const started = await startReplay(ports.meta, { isTrial });
  if (started !== "started") return { outcome: "overtaken" };
  const continued = await continueReplay(ports, { retry, onProgress });
  // Without a reservation and a time limit, it has ended or another replay has started.
  const isUnfinished = continued.outcome === "paused" || continued.outcome === "held" || continued.outcome === "none";
  return isUnfinished ? { outcome: "overtaken" } : continued;
}

export interface RebuildOptions {
  /**
   * Whether the rebuilt projection stays beside the one that answers, and both are kept up to date: compare them
   * (compare-projections.ts), then switch (switch-projection.ts). @default false
   */
  readonly isTrial?: boolean;
  readonly onProgress?: (segments: number) => void;
}

/** Starts a replay, and ends a running one. `held`: at `now`, another process still has reserved the running one. */
export async function startReplay(
  meta: MetaStore,
  { isTrial = false, now = Number.MAX_SAFE_INTEGER }: { readonly isTrial?: boolean; readonly now?: Instant } = {},
): Promise<"started" | "held" | "conflict"> {
  const before = await readCheckpoint(meta);
  if (before !== undefined && isHeld(before.checkpoint, now)) return "held";
  const pointer = await readLivePointer(meta);
  // Projectors stop writing to the idle projection of an abandoned replay.
  const unmarked = await moveLivePointer(meta, pointer, { live: pointer.live });
  if (unmarked === "conflict") return "conflict";
  const written = await writeCheckpoint(meta, beginning(pointer.live, isTrial), before?.version ?? 0);
  return written === "conflict" ? "conflict" : "started";
}

function beginning(live: ProjectionName, isTrial: boolean): ReplayCheckpoint {
  const building = live === "A" ? "B" : "A";
  const trial = { ...(isTrial && { isTrial }) };
  return { building, ...trial, stage: { stage: "clearing" }, segments: 0, failed: [], heldUntil: 0 };
}

function isHeld({ stage, heldUntil }: ReplayCheckpoint, now: Instant): boolean {
  return stage.stage !== "ended" && now < heldUntil;
}

/** Continues the running replay until it ends or the time is up. */
export async function continueReplay(ports: ReplayPorts, run: ReplayRun): Promise<Continued> {
  const stored = await readCheckpoint(ports.meta);
  if (stored === undefined || stored.checkpoint.stage.stage === "ended") return { outcome: "none" };
  const { heldUntil, segments } = stored.checkpoint;
  const now = run.hold?.now() ?? 0;
  if (run.hold !== undefined && now < heldUntil) return { outcome: "held", until: heldUntil, segments };
  const held = await writeCheckpoint(
    ports.meta,
    { ...stored.checkpoint, heldUntil: now + (run.hold?.millis ?? 0) },
    stored.version,
  );
  return held === "conflict" ? { outcome: "overtaken" } : proceed(ports, run, held);
}

async function proceed(ports: ReplayPorts, run: ReplayRun, stored: StoredCheckpoint): Promise<Continued> {
  const { stage } = stored.checkpoint;
  switch (stage.stage) {
    case "clearing": {
      const cleared = await ports.projections.clear(stored.checkpoint.building, run.hasTime);
      if (cleared === "paused") return release(ports.meta, stored);
      const marked = await markBuilding(ports.meta, stored);
      return marked === "overtaken" ? { outcome: "overtaken" } : proceed(ports, run, marked);
    }
    case "folding": {
      const folded = await foldLog(ports, run, stored);
      if (folded.outcome === "overtaken") return { outcome: "overtaken" };
      return folded.outcome === "paused" ? release(ports.meta, folded.stored) : finish(ports, run, folded.stored);
    }
    case "ended":
      return { outcome: "none" };
  }
}

/** Makes every projector write to both projections. */
async function markBuilding(meta: MetaStore, stored: StoredCheckpoint): Promise<StoredCheckpoint | "overtaken"> {
  const { building } = stored.checkpoint;
  const pointer = await readLivePointer(meta);
  if (pointer.live === building) return "overtaken";
  const marked = await moveLivePointer(meta, pointer, { live: pointer.live, building });
  if (marked === "conflict") return "overtaken";
  const written = await writeCheckpoint(meta, { ...stored.checkpoint, stage: { stage: "folding" } }, stored.version);
  return written === "conflict" ? "overtaken" : written;
}

async function release(meta: MetaStore, { checkpoint, version }: StoredCheckpoint): Promise<Continued> {
  const written = await writeCheckpoint(meta, { ...checkpoint, heldUntil: 0 }, version);
  return written === "conflict" ? { outcome: "overtaken" } : { outcome: "paused", segments: checkpoint.segments };
}

/** Retries failed items, and switches to the new projection if it is complete. */
async function finish(ports: ReplayPorts, run: ReplayRun, stored: StoredCheckpoint): Promise<Continued> {
  const { segments, failed } = stored.checkpoint;
  // With so many failures, the rest of the log was not read.
  const isWhole = failed.length < MOST_FAILED;
  const refold = isWhole
    ? await foldOnceMore(ports, run, stored.checkpoint)
    : failed.map((key) => ({ key, cause: BROKEN }));
  if (refold === "paused") return release(ports.meta, stored);
  const outcome = endOf(stored.checkpoint, refold.length === 0);
  const now = run.hold?.now();
  const live = await settle(ports.meta, stored, { outcome, ...(now !== undefined && { now }) });
  if (live === "overtaken") return { outcome: "overtaken" };
  return outcome === "incomplete" ? { outcome, refold, segments } : { outcome, live, segments };
}

type End = Extract<ReplayCheckpoint["stage"], { readonly stage: "ended" }>["outcome"];

function endOf({ isTrial = false }: ReplayCheckpoint, isComplete: boolean): End {
  if (!isComplete) return "incomplete";
  return isTrial ? "kept" : "switched";
}

const BROKEN =
  `At least ${MOST_FAILED} log items cannot be projected. Check the tables of the projection and the ` +
  "release of the functions.";

/** Switches to the rebuilt projection, or ends the replay with the old one. Returns the one that answers. */
async function settle(
  meta: MetaStore,
  { checkpoint, version }: StoredCheckpoint,
  { outcome, now }: { readonly outcome: End; readonly now?: Instant },
): Promise<ProjectionName | "overtaken"> {
  const { building } = checkpoint;
  const pointer = await readLivePointer(meta);
  // The switch may be done already, by a process that was killed after it.
  if (pointer.live !== building && pointer.building !== building) return "overtaken";
  const live = outcome === "switched" ? building : pointer.live;
  const switched = live !== pointer.live && now !== undefined && { switchedAt: now };
  const moved = outcome === "kept" ? { live, building } : { live };
  if ((await moveLivePointer(meta, pointer, { ...moved, ...switched })) === "conflict") return "overtaken";
  // A process that has continued the replay meanwhile finds the moved pointer, and ends.
  await writeCheckpoint(meta, { ...checkpoint, stage: { stage: "ended", outcome }, heldUntil: 0 }, version);
  return live;
}
