import type { Instant } from "../../job/model/instant.ts";
import { foldUnit, unitNamed } from "./fold-units.ts";
import { type Continued, finishReplay, prepareReplay, unitsOf } from "./rebuild-projection.ts";
import { readCheckpoint, type StoredCheckpoint, writeCheckpoint } from "./stored-checkpoint.ts";
import type { ReplayPorts, ReplayRun } from "./replay-run.ts";
import { type UnitProgress, unitProgress } from "./units/unit-progress.ts";
import type { UnitOutcome } from "./units/run-unit.ts";

/**
 * The steps of a replay whose units are processed by many workers at once (Step Functions on AWS). Each step can be
 * killed and repeated: it continues from the records of the replay and of its units.
 */

/** A step of a process that may be killed, and that reserves the replay for itself while it runs. */
export type StepRun = ReplayRun & Required<Pick<ReplayRun, "hold">>;

export type PreparedUnits =
  | { readonly outcome: "prepared"; readonly run: number; readonly units: readonly string[] }
  /** The time was up: repeat the step. */
  | { readonly outcome: "paused" }
  | { readonly outcome: "refused"; readonly reason: string };

/** Empties the idle projection, makes projectors write to both, and returns the units to project. */
export async function prepareUnits(ports: ReplayPorts, run: StepRun): Promise<PreparedUnits> {
  const stored = await readCheckpoint(ports.meta);
  if (!isRunning(stored)) return { outcome: "refused", reason: NONE };
  const held = await holdUntil(ports, stored, run.hold.now() + run.hold.millis);
  if (held === "conflict") return { outcome: "refused", reason: OVERTAKEN };
  const prepared = await prepareReplay(ports, run, held);
  if (prepared.outcome === "overtaken") return { outcome: "refused", reason: OVERTAKEN };
  if (prepared.outcome === "paused") return { outcome: "paused" };
  // From here on, units are reserved separately, and not the replay as a whole.
  const released = await holdUntil(ports, prepared.stored, 0);
  if (released === "conflict") return { outcome: "refused", reason: OVERTAKEN };
  const { checkpoint } = released;
  return { outcome: "prepared", run: checkpoint.run, units: unitsOf(checkpoint) ?? [] };
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

/** Projects a unit. If two workers have the same unit, one of them repeats the step. */
export async function runUnitStep(
  ports: ReplayPorts,
  run: StepRun,
  { run: number, unit }: UnitToRun,
): Promise<UnitStep> {
  const stored = await readCheckpoint(ports.meta);
  if (!isRunning(stored) || stored.checkpoint.run !== number) return { outcome: "ended" };
  const outcome = await foldUnit(ports, run, { unit: unitNamed(unit), checkpoint: stored.checkpoint });
  return { outcome: outcome === "overtaken" ? "paused" : outcome };
}

export type FinishedUnits =
  | Exclude<Continued, { readonly outcome: "held" | "none" }>
  /** Some units are not done, because their workers failed repeatedly. Resume the replay. */
  | { readonly outcome: "unfinished"; readonly left: number }
  | { readonly outcome: "refused"; readonly reason: string };

/** Retries the items that failed, and switches to the rebuilt projection. Does nothing while units are not done. */
export async function finishUnits(ports: ReplayPorts, run: StepRun): Promise<FinishedUnits> {
  const stored = await readCheckpoint(ports.meta);
  const units = stored && unitsOf(stored.checkpoint);
  if (stored === undefined || units === undefined) return { outcome: "refused", reason: NONE };
  const { done } = await unitProgress(ports.meta, stored.checkpoint.run);
  if (done < units.length) return { outcome: "unfinished", left: units.length - done };
  const finished = await finishReplay(ports, run, stored);
  return finished.outcome === "held" || finished.outcome === "none" ? { outcome: "overtaken" } : finished;
}

/** The progress of the units of the current or last replay. */
export interface ReplayProgress extends Pick<UnitProgress, "done" | "segments" | "facts"> {
  readonly units: number;
}

export async function replayProgress(
  { meta }: Pick<ReplayPorts, "meta">,
  { checkpoint }: StoredCheckpoint,
): Promise<ReplayProgress> {
  const { done, segments, facts } = await unitProgress(meta, checkpoint.run);
  return { done, segments, facts, units: unitsOf(checkpoint)?.length ?? done };
}
