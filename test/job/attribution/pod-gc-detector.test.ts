import { describe, expect, it } from "vitest";
import { PodGcDetector } from "../../../src/job/attribution/pod-gc-detector.ts";
import { sweepsTarget } from "../../../src/job/attribution/pod-gc-record.ts";
import type { EventHinted, PodDeletionRequested } from "../../../src/job/model/fact.ts";
import { Story } from "../../support/story/story.ts";

interface Deletion {
  readonly second: number;
  readonly job?: string;
  readonly graceSeconds?: number;
  readonly phase?: string;
}

function factOf({ second, job = "render", graceSeconds = 0, phase = "Succeeded" }: Deletion): PodDeletionRequested {
  const story = new Story(job);
  story.after(second);
  story.podDeletionRequested("a", phase, { graceSeconds });
  const fact = story.facts.at(-1);
  if (fact?.kind !== "PodDeletionRequested") throw new Error("The story ends with a deletion.");
  return fact;
}

/** Deletions of one Pod of each of this many Jobs, in one second. */
function sweep(second: number, jobs = 5, more: Partial<Deletion> = {}): readonly Deletion[] {
  return Array.from({ length: jobs }, (_, at) => ({ second, job: `job-${at}`, ...more }));
}

function hintsOf(...deletions: readonly Deletion[]): readonly EventHinted[] {
  const detector = new PodGcDetector();
  return deletions.flatMap((deletion) => detector.hintsOf([factOf(deletion)]));
}

/** A sweep of half a minute. */
function long(second: number): readonly Deletion[] {
  return [...sweep(second), ...sweep(second + 15), ...sweep(second + 30)];
}

const start = new Story().now;
const spans = (hints: readonly EventHinted[]) =>
  hints.map(({ firstAt, lastAt, count }) => [(firstAt - start) / 1000, (lastAt - start) / 1000, count]);

describe("sweeps of Pod GC", () => {
  it("are recognized by three of them, 20 s apart, when the next deletion shows that the third has ended", () => {
    const hints = hintsOf(...sweep(0), ...sweep(20), ...sweep(40), ...sweep(60));
    expect(spans(hints)).toEqual([[0, 40, 3]]);
    expect(hints[0]).toMatchObject({ reason: "PodGcSweeps", target: sweepsTarget(start), source: "outlive" });
  });

  it("are recognized where each takes a while", () => {
    expect(spans(hintsOf(...long(0), ...long(50), ...long(100), ...long(150)))).toEqual([[0, 130, 3]]);
  });

  it("are recorded again when they end, and every fourth time", () => {
    const steady = [0, 20, 40, 60, 80, 100, 120, 140, 160].flatMap((second) => sweep(second));
    expect(spans(hintsOf(...steady, { second: 300 }))).toEqual([
      [0, 40, 3],
      [0, 60, 4],
      [0, 140, 8],
      [0, 160, 9],
    ]);
  });

  it.each<[string, readonly Deletion[]]>([
    ["two sweeps", [...sweep(0), ...sweep(20), ...sweep(90)]],
    ["deletions once a minute", [0, 60, 120, 180, 240].flatMap((second) => sweep(second))],
    ["deletions without a pause", Array.from({ length: 20 }, (_, at) => sweep(at * 10)).flat()],
    ["Pods of few Jobs", [0, 20, 40, 60].flatMap((second) => sweep(second, 4))],
    ["Pods that had not ended", [0, 20, 40, 60].flatMap((second) => sweep(second, 5, { phase: "Running" }))],
    ["Pods with a grace period", [0, 20, 40, 60].flatMap((second) => sweep(second, 5, { graceSeconds: 30 }))],
    ["a small sweep in between", [...sweep(0), ...sweep(20), ...sweep(40, 1), ...sweep(60), ...sweep(80)]],
  ])("are not recognized in %s", (_, deletions) => {
    expect(hintsOf(...deletions)).toEqual([]);
  });

  it("are not disturbed by deletions that are observed again, late", () => {
    const hints = hintsOf(...sweep(0), ...sweep(20), { second: 0, job: "job-0" }, ...sweep(40), ...sweep(60));
    expect(spans(hints)).toEqual([[0, 40, 3]]);
  });
});
