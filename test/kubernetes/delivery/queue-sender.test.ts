import { describe, expect, it, vi } from "vitest";
import type { DeliveryEvent } from "../../../src/kubernetes/delivery/delivery-event.ts";
import { QueueSender } from "../../../src/kubernetes/delivery/queue-sender.ts";
import type { SendOutcome } from "../../../src/ports/segment-queue.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { ScriptedQueue } from "../../support/stores/scripted-queue.ts";
import { numberedSegment } from "../../support/stores/sealed-segments.ts";

const TAKEN: SendOutcome = { outcome: "accepted" };
const REFUSED: SendOutcome = { outcome: "refused", reason: "Too long." };
const AWAY: SendOutcome = { outcome: "unreachable", reason: "Busy." };

function open(outcomes: readonly SendOutcome[] = []) {
  const clock = new ManualClock();
  const queue = new ScriptedQueue();
  queue.answer = (at) => outcomes[at] ?? TAKEN;
  const events: DeliveryEvent[] = [];
  const refused: Uint8Array[] = [];
  const sender = new QueueSender({
    cluster: clusterNamed("east"),
    queue,
    clock,
    backOff: (retry) => retry * 1000,
    observe: (event) => events.push(event),
    onRefused: (bytes) => refused.push(bytes),
  });
  return { sender, clock, events, refused };
}

const batch = [1, 2, 3].map((number) => ({ ...numberedSegment(number), since: 0 }));

describe("a batch that was sent", () => {
  it.each([
    ["all were taken", [TAKEN, TAKEN, TAKEN], { settled: 3 }],
    ["one was refused for ever, which need not be sent again either", [TAKEN, REFUSED, TAKEN], { settled: 3 }],
    ["the last one was not taken", [TAKEN, TAKEN, AWAY], { settled: 2, problem: "Busy." }],
    ["the one in the middle was not taken", [TAKEN, AWAY, TAKEN], { settled: 1, problem: "Busy." }],
    ["none was taken", [AWAY, AWAY, AWAY], { settled: 0, problem: "Busy." }],
  ])("is settled up to the first that has to be sent again: %s", async (_, outcomes, sent) => {
    expect(await open(outcomes).sender.send(batch)).toEqual(sent);
  });

  it("is reported with its accepted segments and the longest wait", async () => {
    const { sender, clock, events } = open([TAKEN, TAKEN, AWAY]);
    await clock.advance(100);
    await sender.send(batch.map((one) => ({ ...one, since: 60 })));
    const bytes = batch.slice(0, 2).reduce((sum, one) => sum + one.bytes.length, 0);
    expect(events).toEqual([{ kind: "accepted", segments: 2, facts: 2, bytes, waitedMillis: 40 }]);
  });

  it("returns refused segments", async () => {
    const { sender, events, refused } = open([TAKEN, REFUSED, TAKEN]);
    await sender.send(batch);
    expect(refused).toEqual([batch[1]?.bytes]);
    expect(events).toContainEqual({ kind: "refused", reason: "Too long.", facts: 1 });
  });

  it("reports no wait of segments from disk", async () => {
    const { sender, events } = open();
    await sender.send([numberedSegment(1)]);
    expect(events[0]).not.toHaveProperty("waitedMillis");
  });
});

describe("a queue that accepts nothing", () => {
  it("is retried with growing delays, until it accepts a message", async () => {
    const { sender, clock, events } = open();
    const tried: number[] = [];
    const again = () => tried.push(clock.elapsed());
    sender.backOff("Away.", 3, again);
    expect(sender.isBackingOff).toBe(true);
    await clock.advance(1000);
    expect(sender.isBackingOff).toBe(false);
    sender.backOff("Away.", 3, again);
    await clock.advance(2000);
    sender.recover();
    sender.backOff("Away.", 3, again);
    await clock.advance(1000);
    expect(tried).toEqual([1000, 3000, 4000]);
    expect(events.map((event) => event.kind === "unreachable" && event.attempt)).toEqual([1, 2, 1]);
  });

  it("has failed since its first refusal", async () => {
    const { sender, clock } = open();
    expect(sender.failingMillis).toBe(0);
    await clock.advance(500);
    sender.backOff("Away.", 1, () => undefined);
    await clock.advance(1500);
    sender.backOff("Away.", 1, () => undefined);
    expect(sender.failingSince).toBe(500);
    expect(sender.failingMillis).toBe(1500);
    sender.recover();
    expect(sender.failingSince).toBeUndefined();
  });

  it.each([
    ["100 ms at first", 1, 100],
    ["200 ms then", 2, 200],
    ["10 s at most", 20, 10_000],
  ])("is retried after any part of %s, unless a back-off is given", async (_, attempts, longest) => {
    const waits: number[] = [];
    for (let run = 0; run < 200; run += 1) {
      const clock = new ManualClock();
      const after = vi.spyOn(clock, "after");
      const sender = new QueueSender({
        cluster: clusterNamed("east"),
        queue: new ScriptedQueue(),
        clock,
        observe: () => undefined,
      });
      for (let attempt = 1; attempt <= attempts; attempt += 1) sender.backOff("Away.", 1, () => undefined);
      waits.push(after.mock.lastCall?.[0] ?? Infinity);
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(longest);
    expect(Math.max(...waits)).toBeGreaterThan(longest / 2);
    expect(Math.min(...waits)).toBeLessThan(longest / 2);
  });

  it("gets a request at a time, and knows it", async () => {
    const answered = Promise.withResolvers<readonly SendOutcome[]>();
    const sender = new QueueSender({
      cluster: clusterNamed("east"),
      queue: { send: () => answered.promise },
      clock: new ManualClock(),
      observe: () => undefined,
    });
    expect(sender.isSending).toBe(false);
    const sent = sender.send(batch);
    expect(sender.isSending).toBe(true);
    answered.resolve([TAKEN, TAKEN, TAKEN]);
    await sent;
    expect(sender.isSending).toBe(false);
  });
});
