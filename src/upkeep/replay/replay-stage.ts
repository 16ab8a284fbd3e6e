import { erasuresVersion } from "../../log/erasure/stored-erasures.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { ReplayCheckpoint, ReplayStage, SpreadStage } from "../../ports/records/replay/replay-checkpoint.ts";
import { type NumberedReplay, readCheckpoint } from "./stored-checkpoint.ts";
import type { UnitProgress } from "./units/unit-progress.ts";

/** The names of the units of the current stage; `undefined` while they are not listed. */
export function unitsOf({ stage }: Pick<ReplayCheckpoint, "stage">): readonly string[] | undefined {
  switch (stage.stage) {
    case "clearing":
    case "ended":
      return undefined;
    case "spreading":
    case "joining":
    case "joiningRuns":
    case "folding":
      return stage.units;
  }
}

/** The id of a unit's record. The same times of the log are read in two stages. */
export function recordIdOf({ stage }: Pick<ReplayCheckpoint, "stage">, unit: string): string {
  return stage.stage === "spreading" ? `spread ${unit}` : unit;
}

/** How many units of the current stage are not done. */
export function unitsLeft(checkpoint: NumberedReplay, { done }: Pick<UnitProgress, "done">): number {
  return (unitsOf(checkpoint) ?? []).filter((unit) => !done.has(recordIdOf(checkpoint, unit))).length;
}

/** Whether the replay is still in the stage of `checkpoint`, and no erasure has begun since its data was spread. */
export async function isCurrentStage(meta: MetaStore, checkpoint: NumberedReplay): Promise<boolean> {
  const stored = await readCheckpoint(meta);
  const { stage } = checkpoint;
  const isSame = stored?.checkpoint.run === checkpoint.run && stored.checkpoint.stage.stage === stage.stage;
  return isSame && !(await isErasedSince(meta, checkpoint));
}

/** Whether data may be erased that the replay has spread. */
export async function isErasedSince(meta: MetaStore, { stage }: Pick<ReplayCheckpoint, "stage">): Promise<boolean> {
  if (!isSpread(stage)) return false;
  return (await erasuresVersion(meta)) !== stage.erasures;
}

/** Whether a stage works on what was spread. */
export function isSpread(stage: ReplayStage): stage is Extract<ReplayStage, SpreadStage> {
  return stage.stage === "spreading" || stage.stage === "joining" || stage.stage === "joiningRuns";
}
