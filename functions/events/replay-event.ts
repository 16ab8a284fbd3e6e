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
import { UnsupportedEventError } from "../lambda/unsupported-event.ts";

/** A message that the function sent to itself, a schedule's event, or a command. */
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
  /** Makes the function continue later. @default its caller invokes it again */
  readonly sendTurn?: () => Promise<void>;
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

/** A turn during the reservation of another process is retried later: that process may have been killed. */
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

/** A caller may send any event; a schedule's event has no action. */
function actionOf(event: object): ReplayCommand["action"] {
  if (!("action" in event)) return "continue";
  const known = REPLAY_ACTIONS.find((action) => action === event.action);
  if (known === undefined) throw new UnsupportedEventError(EXPECTED);
  return known;
}

const EXPECTED = `{"action":"..."} with one of ${REPLAY_ACTIONS.join(", ")}`;

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
    case "try":
    case "start": {
      const started = await startReplay(meta, { isTrial: action === "try", now: clock.now() });
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
  const continued = await continueTurn(dependencies, context);
  const report = reportOf(continued);
  dependencies.logger.info("The replay finished a turn.", { ...report });
  if (continued.outcome === "paused") await dependencies.sendTurn?.();
  return report;
}

const REFUSED = {
  held: "Another replay is running. Check its status, and start a new one after it has ended.",
  conflict: "Another replay was started at the same time. Check its status.",
} as const;

function statusOf(stored: Awaited<ReturnType<typeof readCheckpoint>>): ReplayReport {
  return stored === undefined ? { outcome: "status" } : { outcome: "status", replay: stored.checkpoint };
}

async function continueTurn(dependencies: ReplayDependencies, context: RemainingTime): Promise<Continued> {
  const { clock, count } = dependencies;
  const { attempts, pause } = retryUntil(context, count);
  return continueReplay(dependencies, {
    // Without a time limit: a started batch is finished.
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
