import { describe, expect, it } from "vitest";
import type { SendOutcome } from "../../../src/ports/segment-queue.ts";
import type { OutgoingMessage } from "../../../src/adapters/sqs/message-queue.ts";
import { createSqsWakeUps, decodeWakeUp } from "../../../src/adapters/sqs/sqs-wake-ups.ts";

function queueThat(outcome: SendOutcome = { outcome: "accepted" }) {
  const sent: OutgoingMessage[] = [];
  const send = async (messages: readonly OutgoingMessage[]) => {
    sent.push(...messages);
    return messages.map(() => outcome);
  };
  return { sent, send };
}

const NOW = 1_000_000;

describe("wake-ups", () => {
  it("go to the queue of their receiver, and decode to what was sent", async () => {
    const [hook, pager] = [queueThat(), queueThat()];
    const wakeUps = createSqsWakeUps(new Map(Object.entries({ hook, pager })), () => NOW);
    await wakeUps.send([
      { receiver: "hook", subject: "east#Job#a", at: NOW },
      { receiver: "pager", subject: "east#Job#a", at: NOW - 5 },
    ]);
    expect(hook.sent.map(({ body }) => decodeWakeUp(body))).toEqual([{ receiver: "hook", subject: "east#Job#a" }]);
    expect(pager.sent).toEqual([{ body: '{"receiver":"pager","subject":"east#Job#a"}' }]);
  });

  it.each([
    [1, 1],
    [1_001, 2],
    [86_400_000, 900],
  ])("that come %d ms later are delayed by %d s", async (later, seconds) => {
    const hook = queueThat();
    const wakeUps = createSqsWakeUps(new Map([["hook", hook]]), () => NOW);
    await wakeUps.send([{ receiver: "hook", subject: "s", at: NOW + later }]);
    expect(hook.sent[0]?.delaySeconds).toBe(seconds);
  });

  it("that a queue does not accept are reported; those of an unknown receiver wait in their record", async () => {
    const hook = queueThat({ outcome: "unreachable", reason: "The queue is down." });
    const wakeUps = createSqsWakeUps(new Map([["hook", hook]]), () => NOW);
    const sending = wakeUps.send([{ receiver: "hook", subject: "s", at: NOW }]);
    await expect(sending).rejects.toThrow(
      /receiver hook did not accept 1 messages\. The first reason: The queue is down\.$/,
    );
    await expect(wakeUps.send([{ receiver: "gone", subject: "s", at: NOW }])).resolves.toBeUndefined();
  });

  it.each(["", "{", "{}", '{"receiver":"hook"}'])("are not %j", (body) => {
    expect(decodeWakeUp(body)).toBeUndefined();
  });
});
