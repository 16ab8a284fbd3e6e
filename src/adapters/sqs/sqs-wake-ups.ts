import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import type { WakeUp, WakeUps } from "../../ports/wake-ups.ts";
import type { MessageQueue, OutgoingMessage } from "./message-queue.ts";

/** The longest delay of a message in SQS. A message that arrives before it is due is delayed again. */
const MAX_DELAY_SECONDS = 900;

/** Sends wake-ups as messages, with a queue for each receiver, so that a failing receiver delays no other. */
export function createSqsWakeUps(queues: ReadonlyMap<string, Pick<MessageQueue, "send">>, now: () => Instant): WakeUps {
  return {
    async send(wakeUps) {
      const byReceiver = Map.groupBy(wakeUps, ({ receiver }) => receiver);
      for (const [receiver, some] of byReceiver) {
        const queue = queues.get(receiver);
        // The deployed rule file no longer has this receiver: its messages wait until it is added again.
        if (queue === undefined) continue;
        const outcomes = await queue.send(some.map((one) => messageOf(one, now())));
        const reasons = outcomes.flatMap((sent) => (sent.outcome === "accepted" ? [] : [sent.reason]));
        if (reasons.length > 0) throw new WakeUpsNotTakenError(receiver, reasons);
      }
    },
  };
}

function messageOf({ receiver, subject, at }: WakeUp, now: Instant): OutgoingMessage {
  const delaySeconds = Math.min(MAX_DELAY_SECONDS, Math.ceil((at - now) / 1_000));
  return { body: JSON.stringify({ receiver, subject }), ...(delaySeconds > 0 && { delaySeconds }) };
}

/** The queue of a receiver did not accept wake-ups: the changes must be reported again. */
class WakeUpsNotTakenError extends Error {
  override readonly name = "WakeUpsNotTakenError";

  constructor(receiver: string, reasons: readonly string[]) {
    super(
      `The queue of receiver ${receiver} did not accept ${reasons.length} messages. The first reason: ${reasons[0]}`,
    );
  }
}

const wakeUpSchema = v.object({ receiver: v.string(), subject: v.string() });

/** The receiver and the subject in the body of a message; `undefined` where the body is not a wake-up. */
export function decodeWakeUp(body: string): Omit<WakeUp, "at"> | undefined {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), wakeUpSchema), body);
  return read.success ? read.output : undefined;
}
