import { describe, expect, it } from "vitest";
import { SegmentBatcher } from "../../../src/kubernetes/delivery/segment-batcher.ts";
import { decodeSegment } from "../../../src/segment/decode-segment.ts";
import { countedOutbox } from "../../support/stores/counted-outbox.ts";
import { type Counted } from "../../support/stores/counted-positions.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";
import type { JobTracked } from "../../../src/job/model/fact.ts";
import { cronJobScheduledAt } from "../../support/facts/cron-job-scheduled-at.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { ScriptedQueue } from "../../support/stores/scripted-queue.ts";
import { numberedFact } from "../../support/stores/sealed-segments.ts";

function open(lingerMillis = 0) {
  const clock = new ManualClock();
  const queue = new ScriptedQueue();
  const rejected: string[] = [];
  const cluster = clusterNamed("east");
  const outbox = countedOutbox({ queue, clock });
  outbox.lead(undefined);
  const batcher = new SegmentBatcher<Counted>({
    cluster,
    session: "0123456789abcdef",
    outbox,
    clock,
    kubeSystemUidOf: () => "the-cluster",
    trackerAhead: () => 5000,
    onRejected: (reason) => rejected.push(reason),
    lingerMillis,
  });
  const take = (number: number) => batcher.take([numberedFact(number)], { pods: number });
  const numbers = () => queue.segments.map((facts) => facts.map(({ resourceVersion }) => Number(resourceVersion)));
  return { clock, queue, outbox, batcher, rejected, take, numbers };
}

describe("a segment batcher", () => {
  it("seals at once after a quiet quarter of a second", async () => {
    const { clock, take, numbers } = open();
    take(1);
    await clock.advance(0);
    await clock.advance(250);
    take(2);
    await clock.advance(0);
    expect(numbers()).toEqual([[1], [2]]);
  });

  it("seals facts together that arrive within a quarter of a second after the last segment", async () => {
    const { clock, take, numbers, outbox } = open();
    take(1);
    await clock.advance(0);
    for (let number = 2; number < 10; number += 1) {
      await clock.advance(20);
      take(number);
    }
    await clock.advance(89);
    expect(numbers()).toEqual([[1]]);
    await clock.advance(1);
    expect(numbers()).toEqual([[1], [2, 3, 4, 5, 6, 7, 8, 9]]);
    expect(outbox.acknowledged).toEqual({ pods: 9 });
  });

  it("leaves out repeated facts, and still moves the position", async () => {
    const { clock, batcher, take, numbers, outbox } = open();
    take(1);
    await clock.advance(0);
    batcher.take([numberedFact(1)], { pods: 5 });
    await clock.advance(1000);
    expect(numbers()).toEqual([[1]]);
    expect(outbox.acknowledged).toEqual({ pods: 5 });
  });

  it("acknowledges a complete event although a part of the next one waits with it", async () => {
    const { clock, batcher, take, outbox } = open();
    take(1);
    batcher.take([numberedFact(2)]);
    await clock.advance(0);
    expect(outbox.acknowledged).toEqual({ pods: 1 });
  });

  it("repeats facts after a reset", async () => {
    const { clock, batcher, take, numbers } = open();
    take(1);
    await clock.advance(0);
    batcher.forget();
    take(1);
    await clock.advance(1000);
    expect(numbers()).toEqual([[1], [1]]);
  });

  it("seals a full segment without waiting, and acknowledges an event only with its last fact", async () => {
    const { clock, queue, batcher, outbox } = open();
    batcher.take(
      Array.from({ length: 900 }, (_, at) => numberedFact(at + 1)),
      { pods: 900 },
    );
    queue.answer = (at) => (at < 1 ? { outcome: "accepted" } : { outcome: "unreachable", reason: "Busy." });
    await clock.advance(0);
    expect(queue.accepted).toHaveLength(1);
    expect(outbox.acknowledged).toBeUndefined();
    queue.comeBack();
    await clock.advance(2000);
    expect(queue.segments.map((facts) => facts.length)).toEqual([400, 400, 100]);
    expect(outbox.acknowledged).toEqual({ pods: 900 });
  });

  it("names each segment with session, sequence, cluster and the tracker's time", async () => {
    const { clock, queue, take } = open();
    take(1);
    await clock.advance(0);
    await clock.advance(300);
    take(2);
    await clock.advance(0);
    const opened = queue.accepted.map((bytes) => decodeSegment(bytes));
    expect(opened).toMatchObject(
      [0, 1].map((sequence) => ({
        outcome: "decoded",
        segment: {
          cluster: "east",
          session: "0123456789abcdef",
          sequence,
          kubeSystemUid: "the-cluster",
          sealedAt: Date.UTC(2026, 10, 21, 12) + 5000 + sequence * 300,
        },
      })),
    );
  });

  it("reports a fact that fits into no segment, and sends the others", async () => {
    const { clock, batcher, rejected, numbers } = open();
    batcher.take([{ ...numberedFact(1), at: Number.NaN }, numberedFact(2)], { pods: 2 });
    await clock.advance(0);
    expect(rejected).toEqual(["The fact has an invalid value."]);
    expect(numbers()).toEqual([[2]]);
  });
});

/** The Job is tracked, which concludes nothing. */
function about(job: number, number: number): JobTracked {
  const { epoch, resourceVersion, at } = numberedFact(number);
  return { kind: "JobTracked", jobUid: jobUid(`job-${job}`), epoch, resourceVersion, at };
}

const lingering = () => {
  const opened = open(1_000);
  /** A change that concludes nothing, about the Job with this number. */
  const progress = (job: number, number: number) => opened.batcher.take([about(job, number)], { pods: number });
  /** The Job is gone. */
  const urgent = (job: number, number: number) =>
    opened.batcher.take([{ ...about(job, number), kind: "JobDeleted" }], { pods: number });
  return { ...opened, progress, urgent };
};

describe("a segment batcher that lingers", () => {
  it("waits for more facts, at most for its linger time", async () => {
    const { clock, urgent, numbers } = lingering();
    urgent(1, 1);
    await clock.advance(400);
    urgent(2, 2);
    await clock.advance(599);
    expect(numbers()).toEqual([]);
    await clock.advance(1);
    expect(numbers()).toEqual([[1, 2]]);
  });

  it("seals after the interval once a segment is worth it", async () => {
    const { clock, urgent, numbers } = lingering();
    for (let number = 1; number <= 32; number += 1) urgent(number, number);
    await clock.advance(0);
    expect(numbers()).toHaveLength(1);
  });

  it("sends progress with the next conclusion about its Job", async () => {
    const { clock, progress, urgent, numbers, outbox } = lingering();
    progress(1, 1);
    progress(2, 2);
    await clock.advance(1_500);
    urgent(1, 3);
    await clock.advance(1_000);
    expect(numbers()).toEqual([[1, 3]]);
    expect(outbox.acknowledged).toEqual({ pods: 1 });
    await clock.advance(4_000);
    expect(numbers()).toEqual([[1, 3], [2]]);
    expect(outbox.acknowledged).toEqual({ pods: 3 });
  });

  it("reaches no position after held facts, though others were accepted", async () => {
    const { clock, urgent, progress, outbox } = lingering();
    urgent(1, 1);
    await clock.advance(1_000);
    expect(outbox.acknowledged).toEqual({ pods: 1 });
    progress(2, 2);
    urgent(3, 3);
    await clock.advance(1_000);
    expect(outbox.acknowledged).toEqual({ pods: 1 });
    await clock.advance(5_000);
    expect(outbox.acknowledged).toEqual({ pods: 3 });
  });

  it("lets a standby keep a segment until the leader has delivered its last fact", async () => {
    const { clock, urgent, progress, outbox, numbers } = lingering();
    outbox.standBy();
    urgent(1, 1);
    await clock.advance(1_000);
    progress(2, 2);
    urgent(3, 3);
    await clock.advance(60_000);
    outbox.passed({ pods: 2 });
    outbox.lead({ pods: 2 });
    await clock.advance(0);
    expect(numbers()).toContainEqual([3]);
  });

  it("reaches no position while released facts do not fit into the segment that was sent", async () => {
    const { clock, queue, progress, outbox } = lingering();
    for (let number = 1; number <= 420; number += 1) progress(number, number);
    await clock.advance(4_000);
    expect(queue.segments.map((facts) => facts.length)).toEqual([400]);
    expect(outbox.acknowledged).toBeUndefined();
    await clock.advance(1_000);
    expect(queue.segments.map((facts) => facts.length)).toEqual([400, 20]);
    expect(outbox.acknowledged).toEqual({ pods: 420 });
  });

  it("sends held facts before it says until when the cluster was observed", async () => {
    const { clock, batcher, progress, numbers } = lingering();
    progress(1, 1);
    const { epoch, resourceVersion, at } = numberedFact(2);
    batcher.take([{ kind: "ClusterObserved", epoch, resourceVersion, at }], { pods: 2 });
    await clock.advance(1_000);
    expect(numbers()).toEqual([[1, 2]]);
  });

  it("sends progress within five seconds", async () => {
    const { clock, progress, numbers } = lingering();
    progress(1, 1);
    await clock.advance(4_999);
    expect(numbers()).toEqual([]);
    await clock.advance(1);
    expect(numbers()).toEqual([[1]]);
  });

  it("sends a changed CronJob at once, and the times of its runs after 70 s, whatever is said meanwhile", async () => {
    const { clock, batcher, queue } = lingering();
    const observe = (at: number) => batcher.take([cronJobScheduledAt(at)], { pods: at });
    const beat = { ...numberedFact(50), kind: "ClusterObserved" } as const;
    const sent = () => queue.segments.flat().map(({ kind, resourceVersion }) => [kind, Number(resourceVersion)]);
    observe(1);
    await clock.advance(1_000);
    expect(sent()).toEqual([["CronJobObserved", 1]]);
    observe(2);
    await clock.advance(30_000);
    batcher.take([{ kind: beat.kind, epoch: 0, resourceVersion: beat.resourceVersion, at: 50 }], { pods: 50 });
    observe(60);
    await clock.advance(38_000);
    expect(sent().slice(1)).toEqual([["ClusterObserved", 50]]);
    await clock.advance(3_000);
    expect(sent().slice(2)).toEqual([["CronJobObserved", 60]]);
  });

  it("lets nothing wait beyond its limit, so that the first list of a large cluster fits into memory", async () => {
    const { clock, progress, numbers, batcher } = lingering();
    for (let number = 1; number <= 2_001; number += 1) progress(number, number);
    await clock.advance(1_000);
    expect(numbers()).toEqual([[2_001]]);
    batcher.flush();
    await clock.advance(0);
    expect(numbers().flat()).toHaveLength(2_001);
  });

  it("sends everything when it is flushed, and when a new capture begins", async () => {
    const { clock, batcher, progress, numbers } = lingering();
    progress(1, 1);
    batcher.flush();
    await clock.advance(0);
    expect(numbers()).toEqual([[1]]);
    progress(2, 2);
    batcher.forget();
    await clock.advance(1_000);
    expect(numbers()).toEqual([[1], [2]]);
  });
});
