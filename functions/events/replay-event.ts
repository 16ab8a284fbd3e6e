import * as v from "valibot";
import type { ReplayPorts } from "../../src/upkeep/replay/replay-run.ts";
import {
  type FinishedUnits,
  finishUnits,
  type PreparedStage,
  type PreparedUnits,
  prepareUnits,
  replayProgress,
  runUnitStep,
  type StepRun,
  type UnitStep,
} from "../../src/upkeep/replay/parallel-replay.ts";
import { startReplay } from "../../src/upkeep/replay/rebuild-projection.ts";
import { readCheckpoint } from "../../src/upkeep/replay/stored-checkpoint.ts";
import { type ReplayAnswer, type ReplayCommand, replayCommand } from "../../src/upkeep/replay/replay-command.ts";
import { settleRows } from "../../src/upkeep/sweep/sweep-jobs.ts";
import type { Clock } from "../../src/ports/runtime/clock.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import { errorMessage } from "../../src/job/text/error-message.ts";
import { count } from "../../src/job/text/sentence.ts";
import { type RemainingTime, retryUntil } from "../lambda/retry-until.ts";
import type { ProjectorVersions } from "../../src/ports/records/live-record.ts";
import { UnsupportedEventError } from "../lambda/unsupported-event.ts";

/** Failed items are named, the rest is in the log of the function. */
type Report<Outcome extends { readonly outcome: string }> =
  | Exclude<Outcome, { readonly outcome: "incomplete" }>
  | {
      readonly outcome: "incomplete";
      /** What the execution of the state machine fails with. */
      readonly reason: string;
      readonly segments: number;
      readonly failed: readonly { readonly key: string; readonly reason: string }[];
    };

/** The state machine repeats a step that was paused with what it returned. */
type FinishReport = Report<FinishedUnits> & Partial<PreparedStage>;

export type ReplayReport = FinishReport | PreparedUnits | UnitStep | ReplayAnswer;

export interface ReplayDependencies extends ReplayPorts {
  readonly clock: Pick<Clock, "now">;
  /** The projectors of the earlier release, which the stage keeps. @default none */
  readonly kept?: ProjectorVersions;
  readonly count: CountMetric;
  readonly logger: Journal;
}

/** Lambda's limit of 15 minutes and one more: by then no other invocation can be running. */
const HOLD_MILLIS = 16 * 60_000;
/**
 * A batch of 20,000 facts takes seconds, or a minute if the table is throttled: no batch starts that Lambda would
 * interrupt.
 */
const BATCH_MILLIS = 120_000;
/** The most failed items in a report. */
const MOST_NAMED = 20;

/** Each command can be repeated: an invocation that was killed has left what the next one needs to continue. */
export async function onReplayEvent(
  dependencies: ReplayDependencies,
  event: unknown,
  context: RemainingTime,
): Promise<ReplayReport> {
  const command = commandOf(event);
  const report = await carryOut({ ...dependencies, settle: settling(dependencies) }, command, context);
  if (command.action !== "status") {
    dependencies.logger.info("The replay took a step.", { command, ...summaryOf(report) });
  }
  return report;
}

/** Lists are up to date before the rebuilt projection answers. Its metrics follow from the stream of its table. */
function settling({ projections, meta, clock }: ReplayDependencies): NonNullable<ReplayPorts["settle"]> {
  return ({ projection, from, hasTime = () => true }) =>
    settleRows({ jobs: projections.open(projection), meta }, { now: clock.now(), from, hasTime });
}

/** A caller may send any event. */
function commandOf(event: unknown): ReplayCommand {
  const read = v.safeParse(replayCommand, event);
  if (!read.success) throw new UnsupportedEventError(EXPECTED);
  return read.output;
}

const EXPECTED =
  '{"action":"..."} with one of begin, try, resume, prepare, status; ' +
  '{"action":"unit","run":1,"unit":"..."}; or {"action":"finish","run":1,"stage":"..."}';

/** The names of units are in the replay's record. */
function summaryOf(report: ReplayReport): object {
  return report.outcome === "prepared" ? { ...report, units: report.units.length } : report;
}

function carryOut(
  dependencies: ReplayDependencies,
  command: ReplayCommand,
  context: RemainingTime,
): ReplayReport | Promise<ReplayReport> {
  const run = stepRun(dependencies, context);
  switch (command.action) {
    case "status":
      return status(dependencies);
    case "begin":
    case "try":
      return begin(dependencies, command.action === "try");
    case "resume":
      return resume(dependencies);
    case "prepare":
      return prepareUnits(dependencies, run);
    case "unit":
      return runUnitStep(dependencies, run, command);
    case "finish":
      return finish(dependencies, run, command);
  }
}

async function finish(
  dependencies: ReplayDependencies,
  run: StepRun,
  { run: number, stage }: Partial<PreparedStage>,
): Promise<FinishReport> {
  const prepared = { ...(number !== undefined && { run: number }), ...(stage !== undefined && { stage }) };
  return { ...reportOf(await finishUnits(dependencies, run, prepared)), ...prepared };
}

async function begin({ meta, clock, kept }: ReplayDependencies, isTrial: boolean): Promise<ReplayAnswer> {
  if (kept !== undefined && !isTrial) return { outcome: "refused", reason: KEPT };
  const started = await startReplay(meta, { isTrial, now: clock.now(), ...(kept && { kept }) });
  return started === "started" ? { outcome: "begun" } : { outcome: "refused", reason: REFUSED[started] };
}

const KEPT =
  "The stage keeps the projectors of an earlier release, which would write the rebuilt projection. Start a trial " +
  "(`outlive replay --trial`), or deploy without keepProjectors.";

const REFUSED = {
  held: "Another replay is running. Check its status, and start a new one after it has ended.",
  tried:
    "The projection of the trial answers, so that no projection is idle. Switch back (`outlive switch`), or end the " +
    "trial and deploy without keepProjectors.",
  conflict: "Another replay was started at the same time. Check its status.",
} as const;

async function resume({ meta }: ReplayDependencies): Promise<ReplayAnswer> {
  const stored = await readCheckpoint(meta);
  const isOver = stored === undefined || stored.checkpoint.stage.stage === "ended";
  return isOver ? { outcome: "refused", reason: NOTHING_TO_RESUME } : { outcome: "begun" };
}

const NOTHING_TO_RESUME = "No replay was interrupted. Start a new one.";

async function status(dependencies: ReplayDependencies): Promise<ReplayAnswer> {
  const stored = await readCheckpoint(dependencies.meta);
  if (stored === undefined) return { outcome: "status" };
  return { outcome: "status", replay: stored.checkpoint, progress: await replayProgress(dependencies, stored) };
}

function stepRun({ clock, count }: ReplayDependencies, context: RemainingTime): StepRun {
  const { attempts, pause } = retryUntil(context, count);
  return {
    // Without a time limit: a started batch is finished.
    retry: { attempts, pause },
    hasTime: () => context.getRemainingTimeInMillis() > BATCH_MILLIS,
    hold: { now: () => clock.now(), millis: HOLD_MILLIS },
  };
}

function reportOf(ended: FinishedUnits): Report<FinishedUnits> {
  if (ended.outcome !== "incomplete") return ended;
  const { refold, refused, segments } = ended;
  const failed = [
    ...refused.slice(0, MOST_NAMED).map(({ job, reason }) => ({ key: `Job ${job}`, reason })),
    ...refold
      .slice(0, MOST_NAMED)
      .map(({ key, cause }) => ({ key: `${key.pk} ${key.sk}`, reason: errorMessage(cause) })),
  ];
  const left = [
    ...(refused.length > 0 ? [`${count(refused.length, "Job")} cannot be corrected`] : []),
    ...(refold.length > 0 ? [`${count(refold.length, "log item")} cannot be projected`] : []),
  ];
  const reason =
    left.length === 0
      ? STOPPED
      : `${left.join(", ")}, and the earlier projection stays live. ` +
        `The first is ${failed[0]?.key ?? "unknown"}: ${failed[0]?.reason ?? "unknown"}`;
  return { outcome: "incomplete", reason, segments, failed };
}

const STOPPED = "Its end was interrupted, and the earlier projection stays live. Start a new replay.";
