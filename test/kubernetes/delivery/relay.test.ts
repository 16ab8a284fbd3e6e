import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { DeliveryEvent } from "../../../src/kubernetes/delivery/delivery-event.ts";
import { SegmentBatcher } from "../../../src/kubernetes/delivery/segment-batcher.ts";
import { Leadership } from "../../../src/kubernetes/delivery/leadership.ts";
import { type CapturedStep, Relay } from "../../../src/kubernetes/delivery/relay.ts";
import { countedOutbox } from "../../support/stores/counted-outbox.ts";
import { type Counted, countedPositions } from "../../support/stores/counted-positions.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";
import { MemoryLease } from "../../support/stores/memory-lease.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { scriptedCluster } from "../../support/kubernetes/scripted-cluster.ts";
import { ScriptedQueue } from "../../support/stores/scripted-queue.ts";
import { numberedFact } from "../../support/stores/sealed-segments.ts";

const cluster = clusterNamed("east");

function decoded(text: string | undefined): Counted | undefined {
  return text === undefined ? undefined : countedPositions.decode(text);
}

/** A replica of the exporter over a scripted cluster. */
function replica(
  name: string,
  {
    kubernetes,
    lease,
    queue,
    clock,
    maxBytes,
  }: {
    readonly kubernetes: ReturnType<typeof scriptedCluster>;
    readonly lease: MemoryLease;
    readonly queue: ScriptedQueue;
    readonly clock: ManualClock;
    readonly maxBytes?: number;
  },
) {
  const events: DeliveryEvent[] = [];
  const observe = (event: DeliveryEvent) => events.push(event);
  const outbox = countedOutbox({ queue, clock, observe, ...(maxBytes !== undefined && { maxBytes }) });
  const batcher = new SegmentBatcher<Counted>({
    cluster,
    session: name.padEnd(16, "0"),
    outbox,
    clock,
    onRejected: () => undefined,
  });
  const relay = new Relay<Counted>({ capture: kubernetes.capture, batcher, outbox, clock, observe });
  const leadership = new Leadership({
    store: lease,
    clock,
    identity: name,
    position: () => (outbox.acknowledged === undefined ? undefined : countedPositions.encode(outbox.acknowledged)),
    onLead: (position) => relay.lead(decoded(position)),
    onFollow: (position) => relay.follow(decoded(position)),
    onLost: (reason) => relay.standBy(reason),
    onUnknown: () => undefined,
  });
  const start = () => {
    leadership.start();
    return relay.run();
  };
  return { start, relay, leadership, outbox, events };
}

function world() {
  const parts = { kubernetes: scriptedCluster(), lease: new MemoryLease(), queue: new ScriptedQueue() };
  const numbers = () => parts.queue.segments.flat().map(({ resourceVersion }) => Number(resourceVersion));
  return { ...parts, numbers };
}

/** Gives what it was about to give, though it was ended. */
async function* stubborn(_: Counted | undefined, signal: AbortSignal): AsyncGenerator<CapturedStep<Counted>> {
  yield { facts: [numberedFact(1)], position: { pods: 1 } };
  await once(signal, "abort");
  yield { facts: [numberedFact(9)], position: { pods: 9 } };
}

describe("a relay", () => {
  it("sends the captured facts, from the first list on", async () => {
    const { numbers, ...parts } = world();
    const clock = new ManualClock();
    const a = replica("a", { ...parts, clock });
    void a.start();
    parts.kubernetes.happen(numberedFact(1), numberedFact(2));
    await clock.advance(500);
    expect(parts.kubernetes.beganFrom).toEqual([undefined]);
    expect(numbers()).toEqual([1, 2]);
    expect(a.outbox.acknowledged).toEqual({ pods: 2 });
  });

  it("stops reading while there is no room, and continues later", async () => {
    const { numbers, ...parts } = world();
    const clock = new ManualClock();
    const a = replica("a", { ...parts, clock, maxBytes: 150 });
    void a.start();
    parts.queue.goAway();
    for (let number = 1; number <= 20; number += 1) {
      parts.kubernetes.happen(numberedFact(number));
      await clock.advance(300);
    }
    expect(parts.kubernetes.read()).toBeLessThan(10);
    parts.queue.comeBack();
    await clock.advance(5000);
    expect(numbers()).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    const kinds = a.events.map(({ kind }) => kind);
    expect(kinds.indexOf("stalled")).toBeLessThan(kinds.indexOf("resumed"));
    expect(a.events).toContainEqual({ kind: "resumed", stalledMillis: 5650 });
  });

  it("ends when it is stopped while there is no room", async () => {
    const parts = world();
    const clock = new ManualClock();
    const a = replica("a", { ...parts, clock, maxBytes: 150 });
    const running = a.start();
    parts.queue.goAway();
    for (let number = 1; number <= 20; number += 1) {
      parts.kubernetes.happen(numberedFact(number));
      await clock.advance(300);
    }
    expect(a.events.map(({ kind }) => kind)).toContain("stalled");
    a.relay.stop();
    await running;
    expect(a.outbox.hasRoom).toBe(false);
  });

  it("ignores facts of a capture after its end", async () => {
    const { numbers, ...parts } = world();
    const clock = new ManualClock();
    const a = replica("a", { ...parts, kubernetes: { ...parts.kubernetes, capture: stubborn }, clock });
    void a.start();
    await clock.advance(500);
    a.relay.stop();
    await clock.advance(500);
    expect(numbers()).toEqual([1]);
  });

  it("on standby takes over from a killed leader and loses nothing", async () => {
    const { numbers, ...parts } = world();
    const clocks = [new ManualClock(), new ManualClock()] as const;
    const a = replica("a", { ...parts, clock: clocks[0] });
    const b = replica("b", { ...parts, clock: clocks[1] });
    void a.start();
    parts.kubernetes.happen(numberedFact(1));
    await clocks[0].advance(2500);
    void b.start();
    await clocks[1].advance(2500);
    expect(parts.kubernetes.beganFrom).toEqual([undefined, { pods: 1 }]);
    // From here on the leader is dead: its clock stands still.
    parts.kubernetes.happen(numberedFact(2), numberedFact(3));
    await clocks[1].advance(10_000);
    expect(b.leadership.isHeld).toBe(true);
    expect(new Set(numbers())).toEqual(new Set([1, 2, 3]));
    expect(b.events).toContainEqual({ kind: "leading", covered: true });
  });

  it("that does not hold everything since the leader stopped captures again from there", async () => {
    const { numbers, ...parts } = world();
    const clock = new ManualClock();
    const b = replica("b", { ...parts, clock, maxBytes: 100 });
    parts.kubernetes.happen(numberedFact(1));
    await parts.lease.create({
      holder: "a",
      durationSeconds: 8,
      acquiredAt: 0,
      renewedAt: 0,
      transitions: 0,
      position: '{"pods":1}',
    });
    void b.start();
    for (let number = 2; number <= 8; number += 1) {
      parts.kubernetes.happen(numberedFact(number));
      await clock.advance(500);
    }
    await clock.advance(10_000);
    expect(b.events).toContainEqual({ kind: "leading", covered: false });
    expect(parts.kubernetes.beganFrom).toEqual([{ pods: 1 }, { pods: 1 }]);
    expect(new Set(numbers())).toEqual(new Set([2, 3, 4, 5, 6, 7, 8]));
    expect(b.outbox.acknowledged).toEqual({ pods: 8 });
  });

  it("does not watch before the first leader has a position", async () => {
    const parts = world();
    const clock = new ManualClock();
    const b = replica("b", { ...parts, clock });
    await parts.lease.create({ holder: "a", durationSeconds: 8, acquiredAt: 0, renewedAt: 0, transitions: 0 });
    void b.start();
    await clock.advance(6000);
    expect(parts.kubernetes.beganFrom).toEqual([]);
  });

  it("stops sending once the lease is lost", async () => {
    const { numbers, ...parts } = world();
    const clock = new ManualClock();
    const a = replica("a", { ...parts, clock });
    void a.start();
    await clock.advance(0);
    parts.lease.isAway = true;
    await clock.advance(6000);
    parts.kubernetes.happen(numberedFact(1));
    await clock.advance(10_000);
    expect(numbers()).toEqual([]);
    const reason = "The lease could not be renewed for 6 s.";
    expect(a.events).toContainEqual({ kind: "standingBy", reason });
    parts.lease.isAway = false;
    await clock.advance(2000);
    expect(numbers()).toEqual([1]);
  });

  it("flushes its facts when it is stopped", async () => {
    const { numbers, ...parts } = world();
    const clock = new ManualClock();
    const a = replica("a", { ...parts, clock });
    const running = a.start();
    parts.kubernetes.happen(numberedFact(1));
    await clock.advance(0);
    parts.kubernetes.happen(numberedFact(2));
    await clock.advance(0);
    a.relay.stop();
    await running;
    await clock.advance(0);
    expect(numbers()).toEqual([1, 2]);
  });

  it("ends with the error of a capture that cannot go on", async () => {
    const parts = world();
    const clock = new ManualClock();
    const a = replica("a", { ...parts, clock });
    const running = a.start();
    const ended = expect(running).rejects.toThrow("another cluster");
    parts.kubernetes.fail(new Error("This is another cluster."));
    await clock.advance(0);
    await ended;
  });
});
