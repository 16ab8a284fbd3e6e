import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Attempt, JobAnswer } from "../../src/explain/answer-document.ts";
import { axisTicks } from "../../web/shell/axis-ticks.ts";
import { gridShape } from "../../web/job/grid-shape.ts";
import { countStates, indexCells, indexesIn } from "../../web/job/index-states.ts";
import { jobCommands } from "../../web/job/job-commands.ts";
import { compareSides } from "../../web/job/sides.ts";
import { layOutTimeline, MOST_NAMED } from "../../web/job/timeline.ts";
import { bandsOf, marksOf } from "../../web/job/timeline-marks.ts";
import { listedJob, second } from "../support/story/listed-job.ts";

function attempt(number: number, said: Partial<Attempt> = {}): Attempt {
  return {
    uid: `pod-${number}`,
    name: `report-${number}`,
    outcome: "Succeeded",
    restarts: 0,
    containers: [],
    createdAt: second(number),
    startedAt: second(number + 1),
    finishedAt: second(number + 4),
    ...said,
  };
}

function lineOf(what: string, job: JobAnswer) {
  return compareSides(job).find((one) => one.what === what);
}

describe("the three sides of a Job", () => {
  const reported = { status: { succeeded: 1 }, resourceVersion: "7", observedAt: second(9) };
  const pods = { seen: 9, succeeded: 9, failed: 0, active: 0, terminating: 0, unknown: 0 };

  it("agree where all say the same", () => {
    const job = listedJob({ reported });
    expect(compareSides(job).filter(({ differs }) => differs)).toEqual([]);
  });

  it("differ where Kubernetes forgot successes", () => {
    const job = listedJob({ reported, pods, status: { succeeded: 9 } });
    expect(lineOf("succeeded", job)).toEqual({
      what: "succeeded",
      reported: "1",
      observed: "9",
      status: "9",
      differs: true,
    });
  });

  it("differ where only the facts know an end", () => {
    const job = listedJob({ reported, status: { succeeded: 1, completionTime: second(5) } });
    expect(lineOf("completionTime", job)?.differs).toBe(true);
  });

  it("leave out what no side has", () => {
    expect(compareSides(listedJob({ reported })).map(({ what }) => what)).toEqual(["succeeded"]);
  });
});

describe("a timeline", () => {
  it("of few Pods gives each a row with its name, in order of creation", () => {
    const { groups } = layOutTimeline([attempt(2), attempt(1)], []);
    expect(groups).toMatchObject([{ named: true, lanes: 2 }]);
    expect(groups[0]?.bars.map(({ attempt: { name }, lane }) => [name, lane])).toEqual([
      ["report-1", 0],
      ["report-2", 1],
    ]);
  });

  it("of many groups them by what they came to, failures first", () => {
    const many = Array.from({ length: MOST_NAMED }, (_, number) => attempt(number * 100));
    const failed = attempt(1, { outcome: "Failed", category: "oom", exitCode: 137 });
    const { groups } = layOutTimeline([...many, failed], []);
    expect(groups.map(({ title, bars }) => [title, bars.length])).toEqual([
      ["Failed: oom, exit code 137", 1],
      ["Succeeded", MOST_NAMED],
    ]);
  });

  it("has every Pod once, and never two in one row at one time", () => {
    const spans = fc.array(fc.tuple(fc.nat(1_000), fc.nat(50)), { minLength: MOST_NAMED + 1, maxLength: 200 });
    fc.assert(
      fc.property(spans, (given) => {
        const attempts = given.map(([from, length], number) =>
          attempt(number, { createdAt: second(from), startedAt: second(from), finishedAt: second(from + length) }),
        );
        const bars = layOutTimeline(attempts, []).groups.flatMap((group) => group.bars);
        expect(bars).toHaveLength(attempts.length);
        for (const lane of Map.groupBy(bars, (bar) => bar.lane).values()) {
          for (const [place, bar] of lane.entries()) {
            const before = lane[place - 1];
            if (before !== undefined) expect(bar.createdAt).toBeGreaterThan(before.endedAt ?? 0);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it("reaches as far as what is told beside the Pods", () => {
    const { to } = layOutTimeline([attempt(1)], [Date.parse(second(60)), undefined]);
    expect(to).toBe(Date.parse(second(60)));
  });

  it("has what happened to Nodes once behind it, though evidence and chain both tell it", () => {
    const fact = { kind: "NodeObserved", time: second(5), resourceVersion: "9", object: "node/a" };
    const job = listedJob({
      findings: [{ kind: "NodeUnreachable", message: "", evidence: [{ ...fact, detail: "became unreachable" }] }],
    });
    const { cluster, namespace, name, uid, verdict, completeness } = job;
    const why = {
      cluster,
      namespace,
      name,
      uid,
      verdict,
      completeness,
      answer: "",
      chain: [{ ...fact, sentence: "Became unreachable." }],
      omitted: { count: 0, atLeast: false },
      remedies: [],
    };
    expect(marksOf(job, why).map(({ text }) => text)).toEqual(["Job started", "a became unreachable", "Job finished"]);
  });

  it("has a gap that goes on open to the right", () => {
    expect(bandsOf([{ from: second(1), resources: ["pods"], reason: "410" }])).toEqual([
      { from: Date.parse(second(1)), to: undefined, text: "not watched: 410" },
    ]);
  });
});

describe("the ticks of a time axis", () => {
  it("are within it, evenly apart, and not many more than asked for", () => {
    const axis = fc.tuple(
      fc.nat(2_000_000_000),
      fc.integer({ min: 1, max: 40_000_000 }),
      fc.integer({ min: 1, max: 20 }),
    );
    fc.assert(
      fc.property(axis, ([from, seconds, most]) => {
        const to = from * 1_000 + seconds * 1_000;
        const ticks = axisTicks(from * 1_000, to, most);
        expect(ticks.length).toBeLessThanOrEqual(most + 2);
        for (const tick of ticks) {
          expect(tick).toBeGreaterThanOrEqual(from * 1_000);
          expect(tick).toBeLessThanOrEqual(to);
        }
      }),
    );
  });
});

describe("the indexes of a Job", () => {
  const spec = { ...listedJob().spec, completionMode: "Indexed", completions: 10 };
  const job = listedJob({ spec, status: { completedIndexes: "0-3,5", failedIndexes: "4" } });
  const cells = indexCells(job, [
    attempt(1, { index: 7, outcome: "Active" }),
    attempt(2, { index: 3, outcome: "Active" }),
  ]);

  it("are in the state that the status knows, or their Pods", () => {
    expect(countStates(cells)).toEqual({ Succeeded: 5, Failed: 1, Active: 1, Pending: 3 });
  });

  it("are found by their state", () => {
    expect(indexesIn(cells, "Pending")).toEqual([6, 8, 9]);
    expect(indexesIn(cells, undefined)).toHaveLength(10);
  });

  it.each([
    [12, 700, 24],
    [1_000, 700, 20],
    [100_000, 700, 2],
    [1_000_000, 700, 1],
  ])("%i of them on %i pixels are cells of %i", (count, width, cell) => {
    expect(gridShape(count, width).cell).toBe(cell);
  });
});

describe("the commands of a Job's page", () => {
  it("ask for this Job at this server", () => {
    const [get] = jobCommands(
      { cluster: "east", namespace: "batch", name: "report", uid: "u-1" },
      "http://127.0.0.1:8080",
    );
    expect(get).toBe("outlive get job/report -n batch --cluster east --uid u-1 -o yaml --server http://127.0.0.1:8080");
  });

  it("hold a hostile name as one word of the shell", () => {
    const [, why] = jobCommands({ cluster: "east", namespace: "batch", name: "a'; rm -rf $HOME" }, "http://h");
    expect(why).toContain(`'job/a'\\''; rm -rf $HOME'`);
  });
});
