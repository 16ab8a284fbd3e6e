import type { Refold } from "../../ports/refold-queue.ts";
import type { ReplayCheckpoint } from "../../ports/records/replay/replay-checkpoint.ts";
import type { JobPorts } from "../../projection/project-job.ts";
import { projectSegments } from "../../projection/project-segments.ts";
import { readItems } from "../../log/read-log.ts";
import { logBegins } from "./log-begins.ts";
import { isRemovedFact } from "./record-fold.ts";
import { type NumberedReplay, readCheckpoint } from "./stored-checkpoint.ts";
import type { ReplayPorts, ReplayRun } from "./replay-run.ts";
import { runUnit, type UnitOutcome } from "./units/run-unit.ts";
import { decodeUnitId, type WorkUnit } from "./units/replay-unit.ts";

/** Projects one unit of the log into the projection that a replay is building. */
export async function foldUnit(
  ports: ReplayPorts,
  { retry, hasTime, hold, onProgress }: ReplayRun,
  { unit, checkpoint }: { readonly unit: WorkUnit; readonly checkpoint: NumberedReplay },
): Promise<UnitOutcome> {
  const { meta } = ports;
  const { run } = checkpoint;
  const into = await rebuilt(ports, checkpoint);
  return runUnit(ports, {
    unit,
    run,
    hasTime,
    hold,
    process: async (items) => (await projectSegments(into, items, retry)).refold,
    isCurrent: async () => {
      const stored = await readCheckpoint(meta);
      return stored?.checkpoint.run === run && stored.checkpoint.stage.stage === "folding";
    },
    ...(onProgress && { onProgress }),
  });
}

/**
 * A trial does not write what both projections share. The log is kept longer than gaps and hints, so it still has some
 * that retention has deleted.
 */
async function rebuilt(
  { log, meta, projections }: Pick<ReplayPorts, "log" | "meta" | "projections">,
  { building, isTrial = false }: Pick<ReplayCheckpoint, "building" | "isTrial">,
): Promise<JobPorts> {
  const begins = await logBegins({ log, meta });
  return {
    jobs: projections.open(building),
    meta,
    jobsOnly: isTrial,
    isRemoved: (cluster, fact) => isRemovedFact(fact, begins(cluster)),
  };
}

/** Projects one unit after the other. */
export async function foldUnits(ports: ReplayPorts, run: ReplayRun, checkpoint: NumberedReplay): Promise<UnitOutcome> {
  const units = checkpoint.stage.stage === "folding" ? checkpoint.stage.units : [];
  for (const unit of (units ?? []).map(unitNamed)) {
    const outcome = await foldUnit(ports, run, { unit, checkpoint });
    if (outcome !== "done") return outcome;
  }
  return "done";
}

/** The unit of a name. Throws UnknownUnitError. */
export function unitNamed(id: string): WorkUnit {
  const unit = decodeUnitId(id);
  if (unit === undefined) throw new UnknownUnitError(id);
  return unit;
}

/** The checkpoint is of a later release. */
class UnknownUnitError extends Error {
  override readonly name = "UnknownUnitError";

  constructor(id: string) {
    super(`The replay has a unit that this release does not know: ${id}. Update Outlive, or start a new replay.`);
  }
}

/** Retries failed items once, and returns those that fail again. */
export async function foldOnceMore(
  ports: ReplayPorts,
  { retry, hasTime = () => true }: ReplayRun,
  checkpoint: Pick<ReplayCheckpoint, "building" | "failed" | "isTrial">,
): Promise<readonly Refold[] | "paused"> {
  const left: Refold[] = [];
  const into = await rebuilt(ports, checkpoint);
  for (const key of checkpoint.failed) {
    if (!hasTime()) return "paused";
    const items = await readItems(ports.log, key);
    if (items.length === 0) left.push({ key, cause: "The log no longer has this item." });
    else left.push(...(await projectSegments(into, items, retry)).refold);
  }
  return left;
}
