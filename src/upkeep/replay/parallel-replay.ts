import type { Instant } from "../../job/model/instant.ts";
import { readLivePointer } from "../../projection/live-projection.ts";
import { runReplayUnit, unitNamed } from "./fold-units.ts";
import { isErasedSince, unitsLeft, unitsOf } from "./replay-stage.ts";
import { type End, type Finished, finishReplay, type Rebuilt, nextStage, prepareReplay } from "./rebuild-projection.ts";
import { type NumberedReplay, readCheckpoint, type StoredCheckpoint, writeCheckpoint } from "./stored-checkpoint.ts";
import type { ReplayPorts, ReplayRun } from "./replay-run.ts";
import type { ReplayStageName } from "../../ports/records/replay/replay-checkpoint.ts";
import { type UnitProgress, unitProgress } from "./units/unit-progress.ts";
import type { UnitOutcome } from "./units/run-unit.ts";

/**
 * The steps of a replay whose units are processed by many workers at once (Step Functions on AWS). Each step can be
 * killed and repeated: it continues from the records of the replay and of its units.
 */

/** A step of a process that may be killed: no other replay starts while it may be at work. */
export type StepRun = ReplayRun & Required<Pick<ReplayRun, "hold">>;

export type PreparedUnits =
  | ({ readonly outcome: "prepared"; readonly units: readonly string[] } & PreparedStage)
  | { readonly outcome: "refused"; readonly reason: string };

/** Which replay, and which of its stages. */
export interface PreparedStage {
  readonly run: number;
  readonly stage: ReplayStageName;
}

/** Returns the units of the replay's stage. */
export async function prepareUnits(ports: ReplayPorts, run: StepRun): Promise<PreparedUnits> {
  const stored = await readCheckpoint(ports.meta);
  if (!isRunning(stored)) return { outcome: "refused", reason: NONE };
  const held = await holdUntil(ports, stored, run.hold.now() + run.hold.millis);
  if (held === "conflict") return { outcome: "refused", reason: OVERTAKEN };
  const prepared = await prepareReplay(ports, run, held);
  if (prepared === "overtaken") return { outcome: "refused", reason: OVERTAKEN };
  // From here on, units are reserved separately, and not the replay as a whole.
  const released = await holdUntil(ports, prepared, 0);
  if (released === "conflict") return { outcome: "refused", reason: OVERTAKEN };
  const { checkpoint } = released;
  const { run: number, stage } = checkpoint;
  return { outcome: "prepared", run: number, stage: stage.stage, units: unitsOf(checkpoint) ?? [] };
}

const NONE = "No replay is running. Start one with `outlive replay`.";
const OVERTAKEN = "Another replay was started later and replaced this one. Wait for its end.";

function isRunning(stored: StoredCheckpoint | undefined): stored is StoredCheckpoint {
  return stored !== undefined && stored.checkpoint.stage.stage !== "ended";
}

function holdUntil({ meta }: ReplayPorts, { checkpoint, version }: StoredCheckpoint, heldUntil: Instant) {
  return writeCheckpoint(meta, { ...checkpoint, heldUntil }, version);
}

/** `ended`: the replay of this unit is over. */
export interface UnitStep {
  readonly outcome: Exclude<UnitOutcome, "overtaken"> | "ended";
}

export interface UnitToRun {
  readonly run: number;
  readonly unit: string;
}

/** Does the work of a unit. If two workers have the same unit, one of them repeats the step. */
export async function runUnitStep(
  ports: ReplayPorts,
  run: StepRun,
  { run: number, unit }: UnitToRun,
): Promise<UnitStep> {
  const stored = await readCheckpoint(ports.meta);
  if (!isRunning(stored) || stored.checkpoint.run !== number) return { outcome: "ended" };
  const { checkpoint } = stored;
  const named = unitNamed(unit);
  // An execution of an earlier stage may be late. Its unit is done, or the replay has begun again.
  if (unitsOf(checkpoint)?.includes(unit) === false) return { outcome: "ended" };
  if (await isErasedSince(ports.meta, checkpoint)) return { outcome: "ended" };
  const outcome = await runReplayUnit(ports, run, { unit: named, checkpoint });
  return { outcome: outcome === "overtaken" ? "paused" : outcome };
}

export type FinishedUnits =
  | Finished
  /** The replay has another stage: prepare its units. */
  | { readonly outcome: "advanced" }
  /** Some units are not done, because their workers failed repeatedly. Resume the replay. */
  | { readonly outcome: "unfinished"; readonly left: number }
  | { readonly outcome: "refused"; readonly reason: string };

/**
 * Continues with the stage after the one that was prepared. After the last one, retries the items that failed, and
 * switches to the rebuilt projection. Does nothing while units are not done. An answer that was lost is given again.
 */
export async function finishUnits(
  ports: ReplayPorts,
  run: StepRun,
  prepared: Partial<PreparedStage> = {},
): Promise<FinishedUnits> {
  const stored = await readCheckpoint(ports.meta);
  if (stored === undefined) return { outcome: "refused", reason: NONE };
  const { stage, run: number } = stored.checkpoint;
  if ((prepared.run ?? number) !== number) return { outcome: "refused", reason: OVERTAKEN };
  if (stage.stage === "ended") return recordedEnd(ports, stored.checkpoint, stage.outcome);
  if ((prepared.stage ?? stage.stage) !== stage.stage) return { outcome: "advanced" };
  return finishStage(ports, run, stored);
}

async function finishStage(ports: ReplayPorts, run: StepRun, stored: StoredCheckpoint): Promise<FinishedUnits> {
  const { checkpoint } = stored;
  if (unitsOf(checkpoint) === undefined) return { outcome: "refused", reason: NONE };
  const left = unitsLeft(checkpoint, await unitProgress(ports.meta, checkpoint.run));
  if (left > 0 && !(await isErasedSince(ports.meta, checkpoint))) return { outcome: "unfinished", left };
  const held = await holdUntil(ports, stored, run.hold.now() + run.hold.millis);
  if (held === "conflict") return { outcome: "overtaken" };
  // What is written next, after the work, releases the replay.
  const working = { checkpoint: { ...checkpoint, heldUntil: 0 }, version: held.version };
  if (checkpoint.stage.stage === "folding") return finishReplay(ports, run, working);
  const next = await nextStage(ports, working);
  return { outcome: next === "overtaken" ? "overtaken" : "advanced" };
}

/** What a replay that has ended reported. */
async function recordedEnd({ meta }: ReplayPorts, replay: NumberedReplay, outcome: End): Promise<Rebuilt> {
  const { segments, failed, run } = replay;
  if (outcome !== "incomplete") return { outcome, live: (await readLivePointer(meta)).live, segments };
  const { refused } = await unitProgress(meta, run);
  return { outcome, refold: failed.map((key) => ({ key, cause: LOGGED })), refused, segments };
}

const LOGGED = "The log of the replay function has the reason.";

/** The progress of the units of the current or last replay. */
export interface ReplayProgress extends Pick<UnitProgress, "segments" | "facts" | "refused"> {
  /** The units of the replay's stage, and how many of them are done. */
  readonly units: number;
  readonly done: number;
}

/** The most refused Jobs in an answer. */
const MOST_NAMED = 20;

export async function replayProgress(
  { meta }: Pick<ReplayPorts, "meta">,
  { checkpoint }: StoredCheckpoint,
): Promise<ReplayProgress> {
  const progress = await unitProgress(meta, checkpoint.run);
  const { segments, facts, refused } = progress;
  const units = unitsOf(checkpoint)?.length ?? progress.done.size;
  return {
    done: units - unitsLeft(checkpoint, progress),
    segments,
    facts,
    refused: refused.slice(0, MOST_NAMED),
    units,
  };
}
