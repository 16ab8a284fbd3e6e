import { describe, expect, it } from "vitest";
import { onWakeUps } from "../../../functions/events/deliver-event.ts";
import { AwsThrottledError } from "../../../src/adapters/aws/aws-error.ts";
import type { OutgoingMessage, SendResult } from "../../../src/ports/message-sender.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";
import { queueEvent } from "../../support/aws/queue-event.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { NotifiedStage } from "../../support/notify/notified-stage.ts";
import { HOOK } from "../../support/notify/notified-tracker.ts";

const ACCEPTED: SendResult = { outcome: "accepted", status: 200 };

async function delivering() {
  const stage = new NotifiedStage();
  await stage.receiveAll(failingJob());
  await stage.notify();
  const told = new FunctionJournal();
  const sent: OutgoingMessage[] = [];
  const hidden: { readonly receipt: string; readonly seconds: number }[] = [];
  const script = { answer: ACCEPTED, hide: async (): Promise<void> => {} };
  const hide = async (messages: readonly { readonly receipt: string; readonly seconds: number }[]) => {
    await script.hide();
    hidden.push(...messages);
  };
  const dependencies = {
    meta: stage.meta,
    now: () => stage.now,
    backOff: () => 5_000,
    send: async (message: OutgoingMessage) => {
      sent.push(message);
      return script.answer;
    },
    receivers: async () => [HOOK],
    queues: new Map([["hook", { hide }]]),
    count: told.count,
    logger: told.logger,
  };
  const run = (...bodies: readonly string[]) => {
    const messages = bodies.map((body, index) => ({ messageId: `m${index}`, body }));
    return onWakeUps(dependencies, queueEvent(messages), told.context);
  };
  return { stage, told, sent, hidden, script, run };
}

const WAKE_UP = '{"receiver":"hook","subject":"east#Job#charge"}';

describe("wake-ups of a receiver", () => {
  it("send what is due, and are done", async () => {
    const { told, sent, run } = await delivering();
    expect(await run(WAKE_UP, WAKE_UP)).toEqual({ batchItemFailures: [] });
    expect(sent).toHaveLength(1);
    expect(told.counts).toEqual({ DeliveredNotifications: 1, FailedNotifications: 0, DeadNotifications: 0 });
    await run(WAKE_UP);
    expect(sent).toHaveLength(1);
  });

  it("return when the message is due again, one of each subject", async () => {
    const { told, hidden, script, run } = await delivering();
    script.answer = { outcome: "unreachable", problem: "down" };
    expect(await run(WAKE_UP, WAKE_UP)).toEqual({ batchItemFailures: [{ itemIdentifier: "m1" }] });
    expect(hidden).toEqual([{ receipt: "receipt-of-m1", seconds: 5 }]);
    expect(told.counts).toMatchObject({ FailedNotifications: 1 });
    expect(told.lines[0]).toMatch(/^WARN A receiver did not accept a message\. .*"problem":"down"/);
  });

  it("are hidden for six hours at most, and return at the visibility timeout if SQS is unavailable", async () => {
    const { hidden, script, run } = await delivering();
    script.answer = { outcome: "rejected", status: 503, problem: "busy", retryAfterMillis: 86_400_000 };
    await run(WAKE_UP);
    expect(hidden).toEqual([{ receipt: "receipt-of-m0", seconds: 21_600 }]);
    script.hide = async () => Promise.reject(new AwsThrottledError("throttled"));
    expect(await run(WAKE_UP)).toEqual({ batchItemFailures: [{ itemIdentifier: "m0" }] });
  });

  it("that are given up are counted and logged", async () => {
    const { told, script, run } = await delivering();
    script.answer = { outcome: "rejected", status: 400, problem: "status 400" };
    expect(await run(WAKE_UP)).toEqual({ batchItemFailures: [] });
    expect(told.counts).toMatchObject({ DeadNotifications: 1 });
    expect(told.lines[0]).toMatch(/^ERROR A message was given up\./);
  });

  it.each(["{}", '{"receiver":"gone","subject":"s"}'])("for no receiver are done: %s", async (body) => {
    const { told, sent, run } = await delivering();
    expect(await run(body)).toEqual({ batchItemFailures: [] });
    expect(sent).toEqual([]);
    expect(told.lines[0]).toMatch(/^WARN A message is for no receiver/);
  });
});
