import type { Refold } from "../../ports/refold-queue.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { ProjectionName } from "../../ports/projections.ts";
import type { LivePointer, ProjectorVersions } from "../../ports/records/live-record.ts";
import { moveLivePointer, readLivePointer, type StoredPointer } from "../../projection/live-projection.ts";
import { otherThan } from "../../projection/projector.ts";
import { SegmentUnreadableError } from "../../projection/project-segments.ts";
import type { Retry } from "../../ports/concurrency/retry.ts";
import { foldOnceMore, runReplayUnits } from "./fold-units.ts";
import { isErasedSince, isSpread, unitsOf } from "./replay-stage.ts";
import { type NumberedReplay, readCheckpoint, type StoredCheckpoint, writeCheckpoint } from "./stored-checkpoint.ts";
import type { RefusedJob } from "../../ports/records/replay/unit-record.ts";
import type { ReplayCheckpoint } from "../../ports/records/replay/replay-checkpoint.ts";
import type { SweepPosition } from "../../ports/records/sweep-checkpoint.ts";
import type { ReplayPorts, ReplayRun } from "./replay-run.ts";
import { rebuildRecords } from "./rebuild-records.ts";
import { removeExpired } from "./remove-expired.ts";
import { restoreLogDays } from "./restore-log-days.ts";
import { joiningStage, spreadingStage } from "./spread/spread-stages.ts";
import { listUnits, listUnitsSince } from "./units/list-units.ts";
import { MOST_FAILED, unitProgress } from "./units/unit-progress.ts";
import { unitId } from "./units/replay-unit.ts";

export type Rebuilt =
  | { readonly outcome: "switched"; readonly live: ProjectionName; readonly segments: number }
  /** A trial has ended: `live` still answers, and both projections are kept up to date. */
  | { readonly outcome: "kept"; readonly live: ProjectionName; readonly segments: number }
  /** Some segments cannot be projected, or some Jobs cannot be corrected: the old projection stays live. */
  | {
      readonly outcome: "incomplete";
      readonly refold: readonly Refold[];
      readonly refused: readonly RefusedJob[];
      readonly segments: number;
    }
  /** Another replay has started, and this one ended. */
  | { readonly outcome: "overtaken" };

export type Finished =
  | Rebuilt
  /** The time was up: continue it. */
  | { readonly outcome: "paused"; readonly segments: number };

/**
 * Rebuilds the idle projection from the log, then switches to it. Reads and new segments continue meanwhile.
 *
 * The order of the steps makes it safe: the idle projection is emptied, or corrected from the log (spread/), while no
 * projector writes to it; then projectors write to both; then the log is read, after a correction from shortly before
 * the replay began. A segment is logged before it is projected, so the replay reads every earlier segment. Then
 * everything derived from the states is updated, and the switch is the last step. A replay that was killed has changed
 * nothing that readers see, and the next one starts again.
 */
export async function rebuildProjection(
  ports: ReplayPorts,
  retry: Retry,
  { isTrial = false, despite, onProgress = () => undefined }: RebuildOptions = {},
): Promise<Rebuilt> {
  const started = await beginReplay(ports.meta, { isTrial });
  if (typeof started === "string") return { outcome: "overtaken" };
  let done = 0;
  const run = {
    retry,
    ...(despite !== undefined && { despite }),
    onProgress: (segments: number) => {
      done += segments;
      onProgress(done);
    },
  };
  const ended = await runReplay(ports, run, started);
  // Without a time limit, the replay has either ended or been replaced by another one.
  return ended.outcome === "paused" ? { outcome: "overtaken" } : ended;
}

export interface RebuildOptions extends Pick<ReplayRun, "despite"> {
  /**
   * Whether the rebuilt projection stays beside the one that answers, and both are kept up to date: compare them
   * (compare-projections.ts), then switch (switch-projection.ts). @default false
   */
  readonly isTrial?: boolean;
  /** Gets the number of segments so far. */
  readonly onProgress?: (segments: number) => void;
}

export interface StartOptions {
  readonly isTrial?: boolean;
  /** @default after every reservation */
  readonly now?: Instant;
  /** For a trial: the projectors of the earlier release, which keep writing the live projection. @default none */
  readonly kept?: ProjectorVersions;
}

/**
 * `held`: another process still has the running replay reserved at `now`. `tried`: the projectors to keep belong to a
 * trial whose other projection answers, so no projection is idle.
 */
export type Started = "started" | "held" | "tried" | "conflict";

/** Starts a replay, and ends a running one. */
export async function startReplay(meta: MetaStore, options?: StartOptions): Promise<Started> {
  const begun = await beginReplay(meta, options);
  return typeof begun === "string" ? begun : "started";
}

type Refused = Exclude<Started, "started">;

async function beginReplay(
  meta: MetaStore,
  { now = Number.MAX_SAFE_INTEGER, ...options }: StartOptions = {},
): Promise<StoredCheckpoint | Refused> {
  const before = await readCheckpoint(meta);
  return (await isHeld(meta, before?.checkpoint, now)) ? "held" : replaceReplay(meta, before, options);
}

async function replaceReplay(
  meta: MetaStore,
  before: StoredCheckpoint | undefined,
  { isTrial = false, kept }: Omit<StartOptions, "now">,
): Promise<StoredCheckpoint | Refused> {
  const pointer = await readLivePointer(meta);
  const { live } = pointer;
  if (isWrittenByTrial(pointer, kept)) return "tried";
  // Projectors stop writing to the idle projection of an abandoned replay.
  const keeping = kept !== undefined && { kept: { projection: live, ...kept } };
  const unmarked = await moveLivePointer(meta, pointer, { live, ...keeping });
  if (unmarked === "conflict") return "conflict";
  const run = (before?.checkpoint.run ?? 0) + 1;
  return writeCheckpoint(meta, beginning(pointer.live, { run, isTrial }), before?.version ?? 0);
}

/** Whether the projectors to keep write the projection that does not answer. */
function isWrittenByTrial({ live, kept }: LivePointer, versions: ProjectorVersions | undefined): boolean {
  if (kept === undefined || versions === undefined || kept.projection === live) return false;
  return kept.project === versions.project && kept.refold === versions.refold;
}

function beginning(
  live: ProjectionName,
  { run, isTrial }: { readonly run: number; readonly isTrial: boolean },
): NumberedReplay {
  const building = otherThan(live);
  const trial = { ...(isTrial && { isTrial }) };
  return { run, building, ...trial, stage: { stage: "clearing" }, segments: 0, failed: [], heldUntil: 0 };
}

/** Whether a process may still be working on the replay, as a whole or on one of its units. */
async function isHeld(meta: MetaStore, replay: NumberedReplay | undefined, now: Instant): Promise<boolean> {
  if (replay === undefined || replay.stage.stage === "ended") return false;
  const { run, heldUntil } = replay;
  return now < Math.max(heldUntil, (await unitProgress(meta, run)).heldUntil);
}

/** Carries out a replay in this process, from where it is, until it ends or the time is up. */
export async function runReplay(ports: ReplayPorts, run: ReplayRun, stored: StoredCheckpoint): Promise<Finished> {
  const prepared = await prepareReplay(ports, run, stored);
  if (prepared === "overtaken") return { outcome: "overtaken" };
  const { checkpoint } = prepared;
  const worked = await runReplayUnits(ports, run, checkpoint);
  if (worked === "paused") return pause(ports.meta, prepared);
  const isErased = worked === "overtaken" && (await isErasedSince(ports.meta, checkpoint));
  if (worked === "overtaken" && !isErased) return { outcome: "overtaken" };
  if (checkpoint.stage.stage === "folding") return finishReplay(ports, run, prepared);
  const next = await nextStage(ports, prepared);
  return next === "overtaken" ? { outcome: "overtaken" } : runReplay(ports, run, next);
}

/**
 * Lists the units of the replay's stage. The first stage of a projection that can be emptied is projecting into both;
 * any other one is spread first.
 */
export async function prepareReplay(
  ports: ReplayPorts,
  { hold }: Pick<ReplayRun, "hold">,
  stored: StoredCheckpoint,
): Promise<StoredCheckpoint | "overtaken"> {
  const { stage, building } = stored.checkpoint;
  if (unitsOf(stored.checkpoint) !== undefined) return stored;
  if (ports.spread !== undefined && stage.stage === "clearing") {
    const spreading = await spreadingStage(ports.meta, hold?.now() ?? 0);
    return orOvertaken(await writeCheckpoint(ports.meta, { ...stored.checkpoint, stage: spreading }, stored.version));
  }
  if (stage.stage === "clearing") await clear(ports, building);
  return markBuilding(ports, stored);
}

async function clear({ projections }: ReplayPorts, name: ProjectionName): Promise<void> {
  if (projections.clear === undefined) throw new TypeError(`Projection ${name} can neither be emptied nor corrected.`);
  await projections.clear(name);
}

/** Continues with the next stage of a replay whose units are done, or begins again if data was erased meanwhile. */
export async function nextStage(ports: ReplayPorts, stored: StoredCheckpoint): Promise<StoredCheckpoint | "overtaken"> {
  const { meta, spread } = ports;
  const { checkpoint, version } = stored;
  const { stage, run } = checkpoint;
  if (await isErasedSince(meta, checkpoint)) {
    const again = { ...checkpoint, run: run + 1, stage: { stage: "clearing" } } as const;
    return orOvertaken(await writeCheckpoint(meta, again, version));
  }
  if (stage.stage === "joiningRuns") return markBuilding(ports, stored, stage.since);
  if (!isSpread(stage) || spread === undefined) return stored;
  const isOfJobs = stage.stage === "spreading";
  const idle = (isOfJobs ? spread.idle : spread.idleRuns)(checkpoint.building);
  const next = { stage: isOfJobs ? "joining" : "joiningRuns", before: stage } as const;
  const joining = await joiningStage(idle, next, await unitProgress(meta, run));
  return orOvertaken(await writeCheckpoint(meta, { ...checkpoint, stage: joining }, version));
}

function orOvertaken(written: StoredCheckpoint | "conflict"): StoredCheckpoint | "overtaken" {
  return written === "conflict" ? "overtaken" : written;
}

/** Makes every projector write to both projections. Then what has arrived since an instant is projected, too. */
async function markBuilding(
  ports: ReplayPorts,
  stored: StoredCheckpoint,
  since?: Instant,
): Promise<StoredCheckpoint | "overtaken"> {
  const { meta } = ports;
  const { building } = stored.checkpoint;
  const pointer = await currentPointer(meta, stored.version);
  if (pointer === "overtaken" || pointer.live === building) return "overtaken";
  const { live, kept } = pointer;
  const marked = await moveLivePointer(meta, pointer, { live, building, ...(kept && { kept }) });
  if (marked === "conflict") return "overtaken";
  await restoreLogDays(ports);
  // Done before the units, because a unit cannot join facts into an unreadable record. A trial leaves alone what both
  // projections share. A log of packs is too long to be read by one process.
  if (stored.checkpoint.isTrial !== true && ports.log.packs === undefined) await rebuildRecords(ports);
  // Segments that arrive from now on are projected to both projections, so the units do not include later hours.
  const units = (await (since === undefined ? listUnits(meta) : listUnitsSince(meta, since))).map(unitId);
  const stage = { stage: "folding", units } as const;
  return orOvertaken(await writeCheckpoint(meta, { ...stored.checkpoint, stage }, stored.version));
}

/**
 * The pointer to move, unless another process has continued the replay, or started another one: a start moves the
 * pointer as well, so that a move of this one is a conflict after it.
 */
async function currentPointer(meta: MetaStore, version: number): Promise<StoredPointer | "overtaken"> {
  const pointer = await readLivePointer(meta);
  return (await readCheckpoint(meta))?.version === version ? pointer : "overtaken";
}

async function pause(meta: MetaStore, { checkpoint, version }: StoredCheckpoint): Promise<Finished> {
  const { segments } = await unitProgress(meta, checkpoint.run);
  const written = await writeCheckpoint(meta, checkpoint, version);
  return written === "conflict" ? { outcome: "overtaken" } : { outcome: "paused", segments };
}

/** Retries failed items of the units, settles what is derived from them, and then switches to the new projection. */
export async function finishReplay(ports: ReplayPorts, run: ReplayRun, stored: StoredCheckpoint): Promise<Finished> {
  const { segments, failed, refused, isBroken } = await unitProgress(ports.meta, stored.checkpoint.run);
  const refold = isBroken
    ? failed.map((key) => ({ key, cause: BROKEN }))
    : await foldOnceMore(ports, run, { ...stored.checkpoint, failed });
  if (refold === "paused") return pause(ports.meta, stored);
  const keys = refold.slice(0, MOST_FAILED).map(({ key }) => key);
  const outcome = endOf(stored.checkpoint, refused.length === 0 && refold.every(({ cause }) => isAccepted(cause, run)));
  if (outcome !== "incomplete") await removeExpired(ports, stored.checkpoint.building);
  const settledTo = outcome === "incomplete" ? undefined : await settleRebuilt(ports, run, stored.checkpoint);
  if (settledTo !== undefined) {
    return pause(ports.meta, { ...stored, checkpoint: { ...stored.checkpoint, settledTo } });
  }
  const ended = { ...stored, checkpoint: { ...stored.checkpoint, segments, failed: keys } };
  const end = await endReplay(ports.meta, ended, { outcome, run });
  if (end === "overtaken") return { outcome: "overtaken" };
  return end.outcome === "incomplete"
    ? { outcome: end.outcome, refold, refused, segments }
    : { outcome: end.outcome, live: end.live, segments };
}

/** Whether a replay ends although a segment is not projected. */
function isAccepted(cause: unknown, { despite }: Pick<ReplayRun, "despite">): boolean {
  return despite !== undefined && cause instanceof SegmentUnreadableError;
}

/** The switch is the last step. Until then, readers see only the other projection. */
async function settleRebuilt(
  { settle }: ReplayPorts,
  { hasTime }: ReplayRun,
  { building, isTrial = false, settledTo: from }: ReplayCheckpoint,
): Promise<SweepPosition | undefined> {
  return settle?.({ projection: building, isTrial, from, ...(hasTime && { hasTime }) });
}

export type End = Extract<ReplayCheckpoint["stage"], { readonly stage: "ended" }>["outcome"];

function endOf({ isTrial = false }: ReplayCheckpoint, isComplete: boolean): End {
  if (!isComplete) return "incomplete";
  return isTrial ? "kept" : "switched";
}

const BROKEN =
  `At least ${MOST_FAILED} log items cannot be projected. Check the tables of the projection and the ` +
  "release of the functions.";

/** Switches to the rebuilt projection, or ends the replay with the old one. `live` answers from then on. */
async function endReplay(
  meta: MetaStore,
  { checkpoint, version }: StoredCheckpoint,
  { outcome: wanted, run: { hold, despite } }: { readonly outcome: End; readonly run: ReplayRun },
): Promise<{ readonly outcome: End; readonly live: ProjectionName } | "overtaken"> {
  const { building } = checkpoint;
  const pointer = await currentPointer(meta, version);
  if (pointer === "overtaken") return "overtaken";
  const outcome = endAt(pointer, building) ?? wanted;
  const live = outcome === "switched" ? building : pointer.live;
  const switched = live !== pointer.live && hold !== undefined && { switchedAt: hold.now() };
  const recorded = outcome !== "incomplete" && despite !== undefined && { endedDespite: despite };
  const moved = { ...pointerAfter(pointer, { live, building, outcome }), ...switched, ...recorded };
  if ((await moveLivePointer(meta, pointer, moved)) === "conflict") return "overtaken";
  // If another process has continued the replay in the meantime, it finds the moved pointer and ends.
  await writeCheckpoint(meta, { ...checkpoint, stage: { stage: "ended", outcome }, heldUntil: 0 }, version);
  return { outcome, live };
}

/** How the replay has ended, if a process that was killed has moved the pointer: what it found may be otherwise now. */
function endAt({ live, building }: LivePointer, rebuilt: ProjectionName): End | undefined {
  if (live === rebuilt) return "switched";
  return building === rebuilt ? undefined : "incomplete";
}

/** A projection that is kept beside the one in use is still being built. */
function pointerAfter(
  { kept }: LivePointer,
  {
    live,
    building,
    outcome,
  }: { readonly live: ProjectionName; readonly building: ProjectionName; readonly outcome: End },
): LivePointer {
  return outcome === "kept" ? { live, building, ...(kept && { kept }) } : { live };
}
