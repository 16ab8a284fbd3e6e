import type { EventBridgeEvent, SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { ReplayPorts } from "../../src/replay/replay-run.ts";
import { type Continued, continueReplay, startReplay } from "../../src/replay/rebuild-projection.ts";
import { readCheckpoint } from "../../src/replay/replay-checkpoint.ts";
import { REPLAY_ACTIONS, type ReplayAnswer, type ReplayCommand } from "../../src/replay/replay-command.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Journal } from "../../src/runtime/journal.ts";
import type { CountMetric } from "../../src/deployment/metrics.ts";
import { errorMessage } from "../../src/text/error-message.ts";
import { type RemainingTime, retryUntil } from "../lambda/retry-until.ts";
import { UnknownEventError } from "../lambda/unknown-event.ts";

/** A turn that the function sent itself, a schedule's, or a command. */
export type ReplayEvent = ReplayCommand | SQSEvent | EventBridgeEvent<string, unknown>;

export type ReplayReport =
  | Exclude<Continued, { readonly outcome: "incomplete" }>
  | {
      readonly outcome: "incomplete";
      readonly segments: number;
      readonly failed: readonly { readonly key: string; readonly reason: string }[];
    }
  | ReplayAnswer;

export interface ReplayDependencies extends ReplayPorts {
  readonly clock: Pick<Clock, "now">;
  readonly count: CountMetric;
  readonly logger: Journal;
  /** Has the function go on later; absent: who invokes it does. */
  readonly sendTurn?: () => Promise<void>;
}

/** Lambda ends a function after 15 minutes at most; a minute more, and nobody else can still be at it. */
const HOLD_MILLIS = 16 * 60_000;
/** Folding a batch of 20,000 facts takes some seconds, a minute where the table is throttled: nothing is begun that Lambda would end. */
const BATCH_MILLIS = 120_000;
/** The most that a report names. */
const MOST_NAMED = 20;

/** A turn for which somebody else is at it comes again, later: they may have been killed, and then this turn is the only one left. */
export async function onReplayEvent(
  dependencies: ReplayDependencies,
  event: ReplayEvent,
  context: RemainingTime,
): Promise<ReplayReport | SQSBatchResponse> {
  if (!("Records" in event)) return onCommand(dependencies, actionOf(event), context);
  const report = await takeTurn(dependencies, context);
  const failed = report.outcome === "held" ? event.Records : [];
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** Whatever may invoke the function may send anything; a schedule's event names no action. */
function actionOf(event: object): ReplayCommand["action"] {
  if (!("action" in event)) return "continue";
  const known = REPLAY_ACTIONS.find((action) => action === event.action);
  if (known === undefined) throw new UnknownEventError(TAKEN);
  return known;
}

const TAKEN = `{"action":"..."} with one of ${REPLAY_ACTIONS.join(", ")}`;

async function onCommand(
  dependencies: ReplayDependencies,
  action: ReplayCommand["action"],
  context: RemainingTime,
): Promise<ReplayReport> {
  const { meta, clock, sendTurn } = dependencies;
  switch (action) {
    case "status":
      return statusOf(await readCheckpoint(meta));
    case "begin":
    case "start": {
      const started = await startReplay(meta, clock.now());
      if (started !== "started") return { outcome: "refused", reason: REFUSED[started] };
      if (action === "start" || sendTurn === undefined) return takeTurn(dependencies, context);
      await sendTurn();
      return { outcome: "begun" };
    }
    case "continue":
      return takeTurn(dependencies, context);
  }
}

async function takeTurn(dependencies: ReplayDependencies, context: RemainingTime): Promise<ReplayReport> {
  const continued = await goOn(dependencies, context);
  const report = reportOf(continued);
  dependencies.logger.info("The replay has had a turn.", { ...report });
  if (continued.outcome === "paused") await dependencies.sendTurn?.();
  return report;
}

const REFUSED = {
  held: "A replay is under way: ask for its status, and start another one when it has ended.",
  conflict: "Somebody else started a replay at this very moment: ask for its status.",
} as const;

function statusOf(stored: Awaited<ReturnType<typeof readCheckpoint>>): ReplayReport {
  return stored === undefined ? { outcome: "status" } : { outcome: "status", replay: stored.checkpoint };
}

async function goOn(dependencies: ReplayDependencies, context: RemainingTime): Promise<Continued> {
  const { clock, count } = dependencies;
  const { attempts, pause } = retryUntil(context, count);
  return continueReplay(dependencies, {
    // Without a limit of its own: a batch that was begun is ended.
    retry: { attempts, pause },
    hasTime: () => context.getRemainingTimeInMillis() > BATCH_MILLIS,
    hold: { now: () => clock.now(), millis: HOLD_MILLIS },
  });
}

function reportOf(continued: Continued): ReplayReport {
  if (continued.outcome !== "incomplete") return continued;
  const failed = continued.refold
    .slice(0, MOST_NAMED)
    .map(({ key, cause }) => ({ key: `${key.pk} ${key.sk}`, reason: errorMessage(cause) }));
  return { outcome: "incomplete", segments: continued.segments, failed };
}
