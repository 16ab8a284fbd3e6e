import { describe, expect, it } from "vitest";
import type { GapRecorded } from "../../../src/job/model/fact.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { expectationOf, type RunInProgress, slowAfter } from "../../../src/parents/series/expectation.ts";
import { type PastRun, runIdOf } from "../../../src/parents/series/past-run.ts";

const SECOND = 1000;
/** Runs that end 1,000 s apart. */
function runsOf(seconds: readonly number[], template = 11): readonly PastRun[] {
  return seconds.map((length, at) => {
    const endedAt = (at + 1) * 1000 * SECOND;
    const millis = length * SECOND;
    return { id: runIdOf(`${template}-${at}`), createdAt: endedAt - millis, endedAt, millis, template };
  });
}
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
const began: RunInProgress = { template: 11, elapsed: 0 };

function gap(from: number, to: number, resources = ["jobs"]): GapRecorded {
  const resourceVersion = decodeResourceVersion("1");
  if (resourceVersion === undefined) throw new Error("1 is a version.");
  const order = { epoch: 1, resourceVersion, at: to * SECOND };
  return { ...order, kind: "GapRecorded", gapId: "g", from: from * SECOND, to: to * SECOND, resources, reason: "" };
}

function expectedOf(...args: Parameters<typeof expectationOf>) {
  const found = expectationOf(...args);
  return found.outcome === "expected" ? found.expected : found.known;
}

describe("how long a run will take", () => {
  it.each([
    [10, { p50: 6, p90: 10, max: 10 }],
    [19, { p50: 10, p90: 18, max: 19 }],
    [50, { p50: 26, p90: 46, max: 50 }],
  ])("is read from the ranks of %i runs", (runs, { p50, p90, max }) => {
    const seconds = upTo(runs).toReversed();
    expect(expectedOf(runsOf(seconds), began, [])).toMatchObject({
      runs,
      p50: p50 * SECOND,
      p90: p90 * SECOND,
      max: max * SECOND,
    });
  });

  it("is unknown with 9 runs, which it counts", () => {
    expect(expectedOf(runsOf(upTo(9)), began, [])).toEqual({ runs: 9, acrossGap: 0, otherTemplate: 0 });
  });

  it("follows from the newest 50 runs", () => {
    const seconds = [...upTo(30).map(() => 900), ...upTo(50)];
    expect(expectedOf(runsOf(seconds), began, [])).toMatchObject({ runs: 50, max: 50 * SECOND });
  });

  it("follows from runs of the same template only", () => {
    const pastRuns = [...runsOf(upTo(40), 44), ...runsOf(upTo(9))];
    expect(expectedOf(pastRuns, began, [])).toEqual({ runs: 9, acrossGap: 0, otherTemplate: 40 });
    expect(expectedOf(pastRuns, { ...began, template: 44 }, [])).toMatchObject({ runs: 40 });
  });
});

describe("a run during which monitoring had a gap", () => {
  const pastRuns = runsOf(upTo(11).map(() => 100));
  const runs = (...gaps: readonly GapRecorded[]) => expectedOf(pastRuns, began, gaps).runs;

  it.each([
    ["in the middle", gap(2950, 2960)],
    ["at its begin", gap(2850, 2901)],
    ["at its end", gap(2999, 3050)],
    ["all the time", gap(2000, 3500)],
  ])("is no sample: %s", (_, found) => {
    expect(runs(found)).toBe(10);
  });

  it.each([
    ["ended when it began", gap(2850, 2900)],
    ["began when it ended", gap(3000, 3050)],
    ["hid only Nodes", gap(2950, 2960, ["nodes"])],
  ])("is a sample if the gap %s", (_, found) => {
    expect(runs(found)).toBe(11);
  });
});

function remaining(current: Partial<RunInProgress>, seconds = upTo(20)) {
  const found = expectedOf(runsOf(seconds), { ...began, ...current }, []);
  return "remaining" in found ? found.remaining : undefined;
}

describe("the time left", () => {
  it("follows from the runs that lasted at least as long", () => {
    expect(remaining({ elapsed: 10 * SECOND })).toEqual({ p50: 5 * SECOND, p90: 10 * SECOND, of: 11 });
    expect(remaining({ elapsed: 0 })).toEqual({ p50: 11 * SECOND, p90: 19 * SECOND, of: 20 });
  });

  it("is unknown if fewer than 9 runs lasted as long", () => {
    expect(remaining({ elapsed: 12 * SECOND })?.of).toBe(9);
    expect(remaining({ elapsed: 12 * SECOND + 1 })).toBeUndefined();
  });

  it("of an Indexed Job follows from the rate of finished indexes", () => {
    const indexes = { finished: 100, total: 400 };
    const deviation = Math.sqrt(1 / 100 + 1 / 300);
    expect(remaining({ elapsed: 50 * SECOND, indexes })).toEqual({
      p50: 150 * SECOND,
      p90: Math.round(150 * SECOND * (1 + 1.2816 * deviation)),
      of: 100,
    });
    expect(remaining({ elapsed: 50 * SECOND, indexes: { finished: 400, total: 400 } })).toEqual({
      p50: 0,
      p90: 0,
      of: 400,
    });
  });

  it("of an Indexed Job with few finished indexes follows from past runs", () => {
    expect(remaining({ elapsed: 10 * SECOND, indexes: { finished: 8, total: 400 } })?.of).toBe(11);
  });
});

describe("the time after which a run is slow", () => {
  it.each([
    [{ p90: 400, max: 500 }, 600],
    [{ p90: 400, max: 900 }, 900],
    [{ p90: 100, max: 120 }, 300],
  ])("for %j s is %i s", ({ p90, max }, after) => {
    expect(slowAfter({ p90: p90 * SECOND, max: max * SECOND })).toBe(after * SECOND);
  });
});
