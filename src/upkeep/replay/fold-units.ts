import type { LogItem } from "../../ports/log.ts";
import type { Refold } from "../../ports/refold-queue.ts";
import type { ReplayCheckpoint, SpreadStage } from "../../ports/records/replay/replay-checkpoint.ts";
import type { JobPorts } from "../../projection/project-job.ts";
import { readLivePointer } from "../../projection/live-projection.ts";
import { projectSegments } from "../../projection/project-segments.ts";
import { readItems } from "../../log/read-log.ts";
import { logBegins } from "./log-begins.ts";
import { isRemovedFact } from "./record-fold.ts";
import { isCurrentStage, isSpread, recordIdOf, unitsOf } from "./replay-stage.ts";
import type { NumberedReplay } from "./stored-checkpoint.ts";
import type { ReplayPorts, ReplayRun, SpreadStores } from "./replay-run.ts";
import { type BucketJoin, joinBucket } from "./spread/join-bucket.ts";
import { joinerOfJobs } from "./spread/join-jobs.ts";
import { joinerOfRuns } from "./spread/join-runs.ts";
import { type PartialStates, spreadLog } from "./spread/spread-log.ts";
import { spreadGroups } from "./spread/spread-stages.ts";
import { spreadTable } from "./spread/spread-table.ts";
import { readUnit, type UnitStores } from "./units/read-unit.ts";
import { decodeUnitId, type LogUnit, unitId, type WorkUnit } from "./units/replay-unit.ts";
import { runUnit, type UnitBatch, type UnitOutcome, type UnitWork } from "./units/run-unit.ts";
import { unitProgress } from "./units/unit-progress.ts";

/** Does the work of a unit of the replay's stage. */
export async function runReplayUnit(
  ports: ReplayPorts,
  run: ReplayRun,
  { unit, checkpoint }: UnitOfReplay,
): Promise<UnitOutcome> {
  const { meta } = ports;
  const { hasTime, hold, onProgress } = run;
  return runUnit(ports, {
    id: recordIdOf(checkpoint, unitId(unit)),
    run: checkpoint.run,
    hasTime,
    hold,
    batches: await batchesOf(ports, run, { unit, checkpoint }),
    isCurrent: () => isCurrentStage(meta, checkpoint),
    ...(onProgress && { onProgress }),
  });
}

interface UnitOfReplay {
  readonly unit: WorkUnit;
  readonly checkpoint: NumberedReplay;
}

async function batchesOf(
  ports: ReplayPorts,
  run: ReplayRun,
  { unit, checkpoint }: UnitOfReplay,
): Promise<UnitWork["batches"]> {
  const { stage } = checkpoint;
  if (isSpread(stage)) return spreadBatches(ports, run, { unit, checkpoint, since: stage.since });
  if (unit.kind !== "days" && unit.kind !== "packs") throw new UnknownUnitError(unitId(unit));
  const into = await building(ports, checkpoint);
  const project = async (items: readonly LogItem[]) => (await projectSegments(into, items, run.retry)).refold;
  return (place) => foldedBatches(ports, { unit, project }, place);
}

/** Batches of a unit of the log. */
export async function* foldedBatches(
  stores: UnitStores,
  { unit, project }: { readonly unit: LogUnit; readonly project: Project },
  from?: string,
): AsyncGenerator<UnitBatch> {
  for await (const { items, place } of readUnit(stores, unit, from)) {
    const facts = items.reduce((sum, { factCount }) => sum + factCount, 0);
    yield { place, segments: items.length, facts, apply: async () => ({ failed: await project(items) }) };
  }
}

/** Projects items, and returns those that failed. Projecting an item twice must change nothing. */
type Project = (items: readonly LogItem[]) => Promise<readonly Refold[]>;

async function spreadBatches(
  ports: ReplayPorts,
  run: ReplayRun,
  { unit, checkpoint, since }: UnitOfSpread,
): Promise<UnitWork["batches"]> {
  const { spread } = ports;
  if (spread === undefined) throw new UnknownUnitError(unitId(unit));
  const { retry, hasTime } = run;
  const place = { objects: spread.objects, run: checkpoint.run };
  switch (unit.kind) {
    case "table":
    case "runTable": {
      const idle = (unit.kind === "table" ? spread.idle : spread.idleRuns)(checkpoint.building);
      return (from) => spreadTable({ place, idle, kind: unit.kind, hasTime }, unit, from);
    }
    case "bucket":
    case "runBucket": {
      const join = await bucketJoin({ ...ports, spread, place }, run, { unit, checkpoint, since });
      return (from) => joinBucket(join, unit, from);
    }
    case "days":
    case "packs": {
      const into = { ...(await projecting(ports, checkpoint)), notedNamespaces: new Set<string>() };
      const project = async (states: PartialStates, items: readonly LogItem[]) =>
        (await projectSegments({ ...into, ...states }, items, retry)).refold;
      return (from) => spreadLog({ ...ports, place, project, hasTime }, unit, from);
    }
  }
}

type UnitOfSpread = UnitOfReplay & Pick<SpreadStage, "since">;
type JoinPorts = Pick<ReplayPorts, "log" | "meta" | "projections"> &
  Pick<BucketJoin, "place"> & { readonly spread: SpreadStores };

async function bucketJoin(
  { log, meta, place, spread, projections }: JoinPorts,
  { retry, hold }: ReplayRun,
  { unit, checkpoint, since }: UnitOfSpread,
): Promise<BucketJoin> {
  const groups = spreadGroups(await unitProgress(meta, checkpoint.run));
  const now = hold?.now() ?? Number.NEGATIVE_INFINITY;
  const jobs = spread.idle(checkpoint.building);
  const isCurrent = () => isCurrentStage(meta, checkpoint);
  const join = { place, groups, retry, now, isOutage: spread.isOutage };
  if (unit.kind === "bucket") {
    return { ...join, idle: jobs, joiner: joinerOfJobs({ log, meta, since, idle: jobs }), isCurrent };
  }
  return {
    ...join,
    idle: spread.idleRuns(checkpoint.building),
    joiner: joinerOfRuns({ jobs, runs: projections.runs(checkpoint.building), retry, since }),
    // Projectors write to both projections before the next stage is recorded.
    isCurrent: async () => (await readLivePointer(meta)).building !== checkpoint.building && (await isCurrent()),
  };
}

/**
 * A trial does not write what both projections share. The log is kept longer than gaps and hints, so it still has some
 * that retention has deleted.
 */
async function projecting(
  { log, meta }: Pick<ReplayPorts, "log" | "meta">,
  { isTrial = false }: Pick<ReplayCheckpoint, "isTrial">,
): Promise<Omit<JobPorts, "jobs">> {
  const begins = await logBegins({ log, meta });
  return {
    meta,
    jobsOnly: isTrial,
    isRemoved: (cluster, fact) => isRemovedFact(fact, begins(cluster)),
  };
}

/** The projection that is built. */
async function building(ports: ReplayPorts, checkpoint: BuiltProjection): Promise<JobPorts> {
  const { projections } = ports;
  const { building: name } = checkpoint;
  return { ...(await projecting(ports, checkpoint)), jobs: projections.open(name), runs: projections.runs(name) };
}

type BuiltProjection = Pick<ReplayCheckpoint, "building" | "isTrial">;

/** Does one unit of the replay's stage after the other. */
export async function runReplayUnits(
  ports: ReplayPorts,
  run: ReplayRun,
  checkpoint: NumberedReplay,
): Promise<UnitOutcome> {
  for (const unit of (unitsOf(checkpoint) ?? []).map(unitNamed)) {
    const outcome = await runReplayUnit(ports, run, { unit, checkpoint });
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
  const into = await building(ports, checkpoint);
  for (const key of checkpoint.failed) {
    if (!hasTime()) return "paused";
    const items = await readItems(ports.log, key);
    if (items.length === 0) left.push({ key, cause: "The log no longer has this item." });
    else left.push(...(await projectSegments(into, items, retry)).refold);
  }
  return left;
}
