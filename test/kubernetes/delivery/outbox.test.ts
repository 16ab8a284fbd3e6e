import { describe, expect, it } from "vitest";
import type { DeliveryEvent } from "../../../src/kubernetes/delivery/delivery-event.ts";
import type { SpooledSegment } from "../../../src/ports/spool.ts";
import type { SendOutcome } from "../../../src/ports/segment-queue.ts";
import { Outbox, type OutboxOptions } from "../../../src/kubernetes/delivery/outbox.ts";
import { type Counted, countedPositions } from "../../support/stores/counted-positions.ts";
import { ManualClock, settled } from "../../support/running/manual-clock.ts";
import { MemorySpool } from "../../support/stores/memory-spool.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { ScriptedQueue } from "../../support/stores/scripted-queue.ts";
import { numberedSegment } from "../../support/stores/sealed-segments.ts";

const MINUTE = 60_000;
const SEGMENT_BYTES = numberedSegment(1).bytes.length;

/** A spool on a disk that takes its time. */
class SlowSpool extends MemorySpool {
  override async append(segments: readonly SpooledSegment[]): Promise<"appended" | "full"> {
    await new Promise(setImmediate);
    return super.append(segments);
  }

  override async drop(count: number): Promise<void> {
    await new Promise(setImmediate);
    await super.drop(count);
  }
}

function open(options: Partial<OutboxOptions<Counted>> = {}) {
  const clock = new ManualClock();
  const queue = new ScriptedQueue();
  const events: DeliveryEvent[] = [];
  const outbox = new Outbox<Counted>({
    cluster: clusterNamed("east"),
    queue,
    rules: countedPositions,
    clock,
    backOff: () => 1000,
    observe: (event) => events.push(event),
    ...options,
  });
  /** Segment `number`, after which the watch stands at `number`. */
  const add = (...numbers: readonly number[]) => {
    for (const number of numbers) outbox.add([numberedSegment(number)], { pods: number });
  };
  const accepted = () => queue.segments.flat().map(({ resourceVersion }) => Number(resourceVersion));
  return { clock, queue, outbox, events, add, accepted };
}

describe("an outbox that leads", () => {
  it("sends its segments, and acknowledges the position once the queue accepted them", async () => {
    const { outbox, add, accepted } = open();
    outbox.begin(undefined);
    outbox.lead(undefined);
    add(1, 2);
    expect(outbox.acknowledged).toBeUndefined();
    await settled();
    expect(accepted()).toEqual([1, 2]);
    expect(outbox.acknowledged).toEqual({ pods: 2 });
    expect(outbox.size).toBe(0);
  });

  it("says since when its oldest segment waits", async () => {
    const { outbox, clock, queue, add } = open();
    outbox.begin(undefined);
    outbox.lead(undefined);
    expect(outbox.waitingSince).toBeUndefined();
    queue.goAway();
    const arrived = clock.elapsed();
    add(1);
    await clock.advance(300);
    add(2);
    expect(outbox.waitingSince).toBe(arrived);
    queue.comeBack();
    await clock.advance(5_000);
    expect(outbox.waitingSince).toBeUndefined();
  });

  it("sends as many segments at once as the queue takes", async () => {
    const roomy = Object.assign(new ScriptedQueue(), { maxSegments: 20 });
    const { outbox, add } = open({ queue: roomy });
    outbox.begin(undefined);
    add(...Array.from({ length: 25 }, (_, index) => index + 1));
    outbox.lead(undefined);
    await settled();
    expect(roomy.sends.map((sent) => sent.length)).toEqual([20, 5]);
  });

  it("sends at most ten segments per request, in the order of arrival", async () => {
    const { outbox, queue, add } = open();
    add(...Array.from({ length: 25 }, (_, at) => at + 1));
    outbox.lead(undefined);
    await settled();
    expect(queue.sends.map((sent) => sent.length)).toEqual([10, 10, 5]);
    expect(outbox.acknowledged).toEqual({ pods: 25 });
  });

  it("sends the same bytes again until they are taken, and acknowledges nothing before", async () => {
    const { outbox, clock, queue, add, accepted, events } = open();
    outbox.lead(undefined);
    queue.goAway();
    add(1);
    await clock.advance(2500);
    expect(queue.sends).toHaveLength(3);
    expect(outbox.acknowledged).toBeUndefined();
    queue.comeBack();
    await clock.advance(1000);
    expect(new Set(queue.sends.flat().map((bytes) => Buffer.from(bytes).toString("hex"))).size).toBe(1);
    expect(accepted()).toEqual([1]);
    expect(outbox.acknowledged).toEqual({ pods: 1 });
    expect(events.filter(({ kind }) => kind === "unreachable")).toHaveLength(3);
  });

  it("acknowledges no further than to the first segment that was not taken", async () => {
    const { outbox, clock, queue, add } = open();
    queue.answer = (at) => (at === 1 ? { outcome: "unreachable", reason: "Busy." } : { outcome: "accepted" });
    add(1, 2, 3);
    outbox.lead(undefined);
    await settled();
    expect(outbox.acknowledged).toEqual({ pods: 1 });
    queue.comeBack();
    await clock.advance(1000);
    expect(outbox.acknowledged).toEqual({ pods: 3 });
  });

  it("continues after a segment that is refused permanently, and reports its facts", async () => {
    const { outbox, queue, add, events } = open();
    queue.answer = (at) => (at === 0 ? { outcome: "refused", reason: "Too long." } : { outcome: "accepted" });
    add(1, 2);
    outbox.lead(undefined);
    await settled();
    expect(outbox.acknowledged).toEqual({ pods: 2 });
    expect(events).toContainEqual({ kind: "refused", reason: "Too long.", facts: 1 });
  });

  it("acknowledges a position without facts once all earlier segments are accepted", async () => {
    const { outbox, clock, queue, add } = open();
    outbox.lead(undefined);
    outbox.advance({ pods: 4 });
    expect(outbox.acknowledged).toEqual({ pods: 4 });
    queue.goAway();
    add(5);
    await settled();
    outbox.advance({ pods: 9 });
    expect(outbox.acknowledged).toEqual({ pods: 4 });
    queue.comeBack();
    await clock.advance(1000);
    expect(outbox.acknowledged).toEqual({ pods: 9 });
  });

  it("is full at its bound during an outage of the queue, and has room again afterwards", async () => {
    const { outbox, clock, queue, add } = open({ maxBytes: 200 });
    outbox.lead(undefined);
    queue.goAway();
    add(1, 2, 3, 4, 5);
    await settled();
    expect(outbox.hasRoom).toBe(false);
    const room = outbox.changed();
    queue.comeBack();
    await clock.advance(1000);
    await room;
    expect(outbox.hasRoom).toBe(true);
  });

  it("has room for 32 MiB by default", async () => {
    const { outbox, queue } = open();
    outbox.lead(undefined);
    queue.goAway();
    const large = { ...numberedSegment(1), bytes: new Uint8Array(16 * 1024 * 1024) };
    outbox.add([large, large], { pods: 1 });
    await settled();
    expect(outbox.hasRoom).toBe(true);
    outbox.add([{ ...large, bytes: new Uint8Array(1) }], { pods: 2 });
    expect(outbox.hasRoom).toBe(false);
  });

  it("breaks with the error of a queue that throws instead of answering", async () => {
    const { outbox, queue, add } = open();
    queue.answer = () => {
      throw new Error("The client is broken.");
    };
    outbox.lead(undefined);
    add(1);
    await expect(outbox.broken).rejects.toThrow("The client is broken.");
  });
});

describe("an outbox with a spool", () => {
  it("spools its segments in order if the queue is unavailable for five seconds", async () => {
    const spool = new MemorySpool();
    const { outbox, clock, queue, add, accepted } = open({ spool });
    outbox.lead(undefined);
    queue.goAway();
    add(1, 2);
    await clock.advance(4500);
    expect(spool.size).toBe(0);
    await clock.advance(2000);
    expect(spool.size).toBe(2);
    add(3);
    await clock.advance(1000);
    expect(spool.size).toBe(3);
    expect(spool.lastPosition).toBe('{"pods":3}');
    queue.comeBack();
    await clock.advance(1000);
    expect(accepted()).toEqual([1, 2, 3]);
    expect(outbox.acknowledged).toEqual({ pods: 3 });
    expect(spool.size).toBe(0);
  });

  it("spools after exactly five seconds", async () => {
    const spool = new MemorySpool();
    const { outbox, clock, queue, add } = open({ spool });
    outbox.lead(undefined);
    queue.goAway();
    add(1);
    await clock.advance(4999);
    expect(spool.size).toBe(0);
    await clock.advance(1);
    expect(spool.size).toBe(1);
  });

  it("spools at once where more than half of the memory is used", async () => {
    const spool = new MemorySpool();
    const { outbox, queue, add, events } = open({ spool, maxBytes: 4 * SEGMENT_BYTES });
    outbox.lead(undefined);
    queue.goAway();
    add(1, 2);
    await settled();
    expect(spool.size).toBe(0);
    add(3);
    await settled();
    expect(spool.size).toBe(3);
    expect(events).toContainEqual({ kind: "spooled", segments: 3, bytes: spool.bytes });
    expect(outbox.bytes).toBe(0);
  });

  it("spools nothing while it does not lead", async () => {
    const spool = new MemorySpool();
    const { outbox, clock, add } = open({ spool, maxBytes: 4 * SEGMENT_BYTES });
    outbox.begin({ pods: 0 });
    add(1, 2, 3);
    await settled();
    const drained = outbox.drain(3000);
    await clock.advance(3000);
    expect(await drained).toBe("left");
    expect(spool.size).toBe(0);
    expect(outbox.size).toBe(3);
  });

  it("spools again after it was full and was sent", async () => {
    const spool = new MemorySpool(2 * SEGMENT_BYTES);
    const { outbox, clock, queue, add } = open({ spool });
    outbox.lead(undefined);
    queue.goAway();
    add(1, 2);
    await clock.advance(6000);
    expect(spool.size).toBe(2);
    add(3);
    await clock.advance(2000);
    expect([spool.size, outbox.size]).toEqual([2, 3]);
    queue.comeBack();
    await clock.advance(2000);
    expect(outbox.size).toBe(0);
    queue.goAway();
    add(4);
    await clock.advance(6000);
    expect(spool.size).toBe(1);
  });

  it("sends each segment from disk once, though the disk takes its time", async () => {
    const spool = new SlowSpool();
    const { outbox, clock, queue, add, accepted } = open({ spool });
    outbox.lead(undefined);
    queue.goAway();
    add(1, 2);
    await clock.advance(6000);
    queue.comeBack();
    await clock.advance(2000);
    expect(accepted()).toEqual([1, 2]);
    expect(spool.size).toBe(0);
  });

  it("acknowledges a position without facts once the segments on disk are accepted", async () => {
    const spool = new MemorySpool();
    const { outbox, clock, queue, add } = open({ spool });
    outbox.lead(undefined);
    queue.goAway();
    add(1);
    await clock.advance(6000);
    outbox.advance({ pods: 9 });
    outbox.add([], undefined);
    expect(outbox.acknowledged).toBeUndefined();
    queue.comeBack();
    await clock.advance(2000);
    expect(outbox.acknowledged).toEqual({ pods: 9 });
  });

  it("acknowledges no earlier position than that of its last segment", async () => {
    const spool = new MemorySpool();
    const { outbox, clock, queue, add } = open({ spool });
    outbox.lead(undefined);
    queue.goAway();
    add(1);
    await clock.advance(6000);
    outbox.advance({ pods: 9 });
    add(10);
    queue.comeBack();
    await clock.advance(2000);
    expect(outbox.acknowledged).toEqual({ pods: 10 });
  });

  it("asks the reader to stop once buffer and spool are full", async () => {
    const spool = new MemorySpool(300);
    const { outbox, clock, queue, add } = open({ spool, maxBytes: 200 });
    outbox.lead(undefined);
    queue.goAway();
    add(1, 2, 3);
    await clock.advance(10_000);
    expect(spool.size).toBe(3);
    expect(outbox.hasRoom).toBe(true);
    add(4, 5, 6, 7, 8);
    await clock.advance(1000);
    expect(outbox.hasRoom).toBe(false);
    queue.comeBack();
    await clock.advance(3000);
    expect(outbox.hasRoom).toBe(true);
    expect(outbox.acknowledged).toEqual({ pods: 8 });
  });

  it("resumes the watch after the segments on disk", () => {
    const spool = new MemorySpool();
    void spool.append([{ bytes: numberedSegment(7).bytes, factCount: 1, position: '{"pods":7}' }]);
    const { outbox } = open({ spool });
    expect(outbox.resumeFrom({ pods: 5 })).toEqual({ pods: 7 });
    expect(outbox.resumeFrom({ pods: 9 })).toEqual({ pods: 9 });
    expect(outbox.resumeFrom(undefined)).toEqual({ pods: 7 });
  });

  it("spools unsent segments at its end", async () => {
    const spool = new MemorySpool();
    const { outbox, clock, queue, add } = open({ spool });
    outbox.lead(undefined);
    queue.goAway();
    add(1, 2);
    const drained = outbox.drain(3000);
    await clock.advance(3000);
    expect(await drained).toBe("left");
    expect(spool.size).toBe(2);
  });
});

describe("an outbox that is stopped", () => {
  it("sends its segments before it ends", async () => {
    const { outbox, clock, add, accepted } = open();
    outbox.lead(undefined);
    add(1, 2);
    const drained = outbox.drain(3000);
    await clock.advance(0);
    expect(await drained).toBe("sent");
    expect(accepted()).toEqual([1, 2]);
  });

  it("sends more than one request before it ends", async () => {
    const { outbox, clock, add, accepted } = open();
    add(...Array.from({ length: 25 }, (_, at) => at + 1));
    outbox.lead(undefined);
    const drained = outbox.drain(3000);
    await clock.advance(0);
    expect(await drained).toBe("sent");
    expect(accepted()).toHaveLength(25);
    expect(clock.pending).toBe(0);
  });

  it("sends nothing after its end", async () => {
    const { outbox, clock, queue, add } = open();
    outbox.lead(undefined);
    queue.goAway();
    add(1);
    const drained = outbox.drain(3000);
    await clock.advance(3000);
    expect(await drained).toBe("left");
    queue.comeBack();
    const { length } = queue.sends;
    await clock.advance(MINUTE);
    add(2);
    await clock.advance(MINUTE);
    expect(queue.sends).toHaveLength(length);
  });

  it("has spooled its segments when its end resolves, though the disk takes its time", async () => {
    const spool = new SlowSpool();
    const { outbox, clock, queue, add } = open({ spool });
    outbox.lead(undefined);
    queue.goAway();
    add(1, 2);
    const drained = outbox.drain(3000).then(() => spool.size);
    await clock.advance(3000);
    expect(await drained).toBe(2);
  });

  it("waits for a request in progress, and does not spool what it delivers", async () => {
    const spool = new MemorySpool();
    const answers: ((outcomes: readonly SendOutcome[]) => void)[] = [];
    const send = (): Promise<readonly SendOutcome[]> => new Promise((resolve) => answers.push(resolve));
    const { outbox, clock, add } = open({ spool, queue: { send }, backOff: () => 4000 });
    outbox.lead(undefined);
    add(1);
    await settled();
    answers[0]?.([{ outcome: "unreachable", reason: "Busy." }]);
    const drained = outbox.drain(20_000);
    await clock.advance(5500);
    expect(answers).toHaveLength(2);
    answers[1]?.([{ outcome: "accepted" }]);
    expect(await drained).toBe("sent");
    expect(spool.size).toBe(0);
  });

  it("spools its segments at the end of the drain time if a request gets no response", async () => {
    const spool = new MemorySpool();
    const { outbox, clock, add } = open({ spool, queue: { send: () => new Promise(() => undefined) } });
    outbox.lead(undefined);
    add(1, 2);
    await settled();
    const drained = outbox.drain(3000);
    await clock.advance(3000);
    expect(await drained).toBe("left");
    expect(spool.size).toBe(2);
  });

  it("waits for an unavailable queue until its time limit", async () => {
    const { outbox, clock, queue, add } = open();
    outbox.lead(undefined);
    queue.goAway();
    add(1);
    const drained = outbox.drain(3000);
    await clock.advance(3000);
    expect(await drained).toBe("left");
    expect(outbox.acknowledged).toBeUndefined();
  });
});

describe("an outbox on standby", () => {
  it("sends nothing, and keeps the leader's segments for five minutes", async () => {
    const { outbox, clock, queue, add } = open();
    await clock.advance(1000);
    outbox.begin({ pods: 0 });
    add(1);
    outbox.passed({ pods: 1 });
    await clock.advance(4 * MINUTE);
    add(2);
    expect(outbox.size).toBe(2);
    await clock.advance(2 * MINUTE);
    outbox.passed({ pods: 1 });
    expect(outbox.size).toBe(1);
    expect(queue.sends).toEqual([]);
  });

  it("keeps segments for longer that the leader has not delivered", async () => {
    const { outbox, clock, add } = open();
    outbox.begin({ pods: 0 });
    add(1, 2);
    await clock.advance(30 * MINUTE);
    outbox.passed({ pods: 1 });
    expect(outbox.size).toBe(1);
  });

  it("takes over where the leader stopped, with some overlap", async () => {
    const { outbox, clock, add, accepted } = open();
    outbox.begin({ pods: 0 });
    add(1);
    await clock.advance(60_000);
    add(2, 3, 4);
    expect(outbox.lead({ pods: 3 })).toBe(true);
    await settled();
    expect(accepted()).toEqual([2, 3, 4]);
    expect(outbox.acknowledged).toEqual({ pods: 4 });
  });

  it.each([
    ["the leader's position where that is later", 3, 5, 5],
    ["its own position where that is later", 5, 3, 5],
    ["its own position where the lease has none", 5, undefined, 5],
  ])("takes over from %s", (_, own, stored, expected) => {
    const { outbox } = open();
    outbox.begin({ pods: 0 });
    outbox.passed({ pods: own });
    outbox.lead(stored === undefined ? undefined : { pods: stored });
    expect(outbox.acknowledged).toEqual({ pods: expected });
  });

  it("sends what the leader has not delivered, though older facts held back the position of the segment", async () => {
    const { outbox, clock, accepted } = open();
    outbox.begin({ pods: 1 });
    outbox.add([numberedSegment(6)], { pods: 3 }, { pods: 6 });
    await clock.advance(MINUTE);
    outbox.lead({ pods: 4 });
    await settled();
    expect(accepted()).toEqual([6]);
  });

  it("reports that it lacks something since the leader's position", () => {
    const { outbox, add } = open();
    outbox.begin({ pods: 5 });
    add(6);
    expect(outbox.lead({ pods: 3 })).toBe(false);
  });

  it("lacks the segments that it dropped for lack of memory", async () => {
    const { outbox, clock, add } = open({ maxBytes: 200 });
    outbox.begin({ pods: 0 });
    add(1, 2, 3, 4, 5, 6);
    await clock.advance(0);
    expect(outbox.bytes).toBeLessThanOrEqual(200);
    expect(outbox.lead({ pods: 1 })).toBe(false);
  });

  it("never acknowledges beyond a gap: segments from before a new start have no position", async () => {
    const { outbox, queue, add, accepted } = open();
    queue.goAway();
    outbox.begin({ pods: 5 });
    add(6);
    outbox.lead({ pods: 3 });
    outbox.begin({ pods: 3 });
    queue.comeBack();
    expect(outbox.acknowledged).toEqual({ pods: 3 });
    add(4);
    await settled();
    expect(accepted()).toContain(4);
  });

  it("stops sending when it no longer leads, and continues when it leads again", async () => {
    const { outbox, clock, queue, add, accepted } = open();
    outbox.lead(undefined);
    queue.goAway();
    add(1);
    await settled();
    outbox.standBy();
    queue.comeBack();
    await clock.advance(20_000);
    expect(accepted()).toEqual([]);
    outbox.lead(undefined);
    await settled();
    expect(accepted()).toEqual([1]);
  });

  it("continues without a new capture if no other replica has led since, even within a list", async () => {
    const { outbox, queue, add, accepted } = open();
    outbox.begin({ pods: 5 });
    outbox.lead({ pods: 3 });
    queue.goAway();
    add(6);
    outbox.standBy();
    queue.comeBack();
    expect(outbox.lead({ pods: 3 })).toBe(true);
    outbox.standBy();
    outbox.passed({ pods: 3 });
    expect(outbox.lead({ pods: 3 })).toBe(false);
    await settled();
    expect(accepted()).toEqual([6]);
  });

  it("does not repeat its own accepted segments although the lease has an earlier position", async () => {
    const { outbox, clock, add, accepted } = open();
    outbox.lead(undefined);
    add(1, 2);
    await settled();
    outbox.standBy();
    await clock.advance(MINUTE);
    expect(outbox.lead({ pods: 1 })).toBe(true);
    await settled();
    expect(accepted()).toEqual([1, 2]);
    expect(outbox.acknowledged).toEqual({ pods: 2 });
  });

  it("keeps segments that were not part of a request, even if those of the request were dropped", async () => {
    const answered = Promise.withResolvers<readonly SendOutcome[]>();
    const { outbox, add } = open({ maxBytes: 200, queue: { send: () => answered.promise } });
    outbox.lead(undefined);
    add(1);
    await settled();
    outbox.standBy();
    add(2, 3, 4, 5, 6);
    const kept = outbox.size;
    expect(kept).toBeGreaterThan(0);
    answered.resolve([{ outcome: "accepted" }]);
    await settled();
    expect(outbox.size).toBe(kept);
  });
});
