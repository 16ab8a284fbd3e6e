import { describe, expect, it } from "vitest";
import type { CronPlan, CronSpan } from "../../../src/parents/cron-job/cron-plan.ts";
import { type CronJobRun, type DueRange, dueRuns } from "../../../src/parents/cron-job/due-runs.ts";

/** Hours after the CronJob's creation. */
const hour = (hours: number): number => Date.parse("2026-06-01T00:00:00Z") + hours * 3_600_000;
const minutes = (count: number): number => count / 60;

const span: CronSpan = { schedule: "0 * * * *", suspend: false, concurrencyPolicy: "Allow", from: hour(0) };

/** An hourly CronJob that was observed from its creation. */
function plan(said: Partial<CronSpan> = {}, more: Partial<CronPlan> = {}): CronPlan {
  return { observedFrom: hour(0), spans: [{ ...span, ...said }], ...more };
}

/** The run of an hour, which takes half an hour. */
function run(scheduled: number, said: Partial<CronJobRun> = {}): CronJobRun {
  const scheduledAt = hour(scheduled);
  return { name: `hourly-${scheduled}`, scheduledAt, createdAt: scheduledAt, endedAt: hour(scheduled + 0.5), ...said };
}

/** What became of each hour, as of 03:30, when the cluster was just heard of. */
function outcomes(of: CronPlan, runs: readonly CronJobRun[], range: Partial<DueRange> = {}): readonly string[] {
  const now = range.now ?? hour(3.5);
  const found = dueRuns(of, runs, { after: hour(0), now, heardAt: now, gaps: [], limit: 100, ...range });
  return found.map((due) => {
    const hours = (due.dueAt - hour(0)) / 3_600_000;
    if (due.outcome === "unknown") return `${hours} unknown: ${due.reason}`;
    if (due.outcome === "skipped") return `${hours} skipped: ${due.during}`;
    if (due.outcome === "missed") return `${hours} missed${due.final ? "" : ", may start late"}`;
    return `${hours} ${due.outcome}`;
  });
}

describe("a due time of a CronJob", () => {
  it("is met by the run of that time", () => {
    expect(outcomes(plan(), [run(1), run(2), run(3)])).toEqual(["1 ran", "2 ran", "3 ran"]);
  });

  it("is met by a run that only the status of the CronJob reports", () => {
    expect(outcomes(plan({}, { lastScheduledAt: hour(3) }), [run(1), run(2)])).toEqual(["1 ran", "2 ran", "3 ran"]);
  });

  it("is missed if it was observed and there is no run", () => {
    expect(outcomes(plan(), [run(1), run(3)])).toEqual(["1 ran", "2 missed", "3 ran"]);
  });

  it("is not met by a manual run", () => {
    const manual: CronJobRun = { name: "hourly-2", createdAt: hour(2), endedAt: hour(2.5) };
    expect(outcomes(plan(), [run(1), manual, run(3)])).toEqual(["1 ran", "2 missed", "3 ran"]);
  });

  it("may be met late until the next time", () => {
    expect(outcomes(plan(), [run(1), run(2)])).toEqual(["1 ran", "2 ran", "3 missed, may start late"]);
  });

  it("is missed for good when its starting deadline has passed", () => {
    const short = plan({ startingDeadlineSeconds: 600 });
    const runs = [run(1), run(2)];
    expect(outcomes(short, runs, { now: hour(3 + minutes(11)) }).at(-1)).toBe("3 missed, may start late");
    expect(outcomes(short, runs, { now: hour(3 + minutes(12)) }).at(-1)).toBe("3 missed");
  });

  it("is pending within the grace period", () => {
    const runs = [run(1), run(2)];
    expect(outcomes(plan(), runs, { now: hour(3 + minutes(1.9)) }).at(-1)).toBe("3 pending");
    expect(outcomes(plan(), runs, { now: hour(3 + minutes(2)) }).at(-1)).toBe("3 missed, may start late");
    const patient = { now: hour(3 + minutes(9)), graceMillis: 600_000 };
    expect(outcomes(plan(), runs, patient).at(-1)).toBe("3 pending");
  });
});

describe("a due time that was not observed is never missed", () => {
  it.each<[string, Partial<DueRange>, readonly string[]]>([
    ["in a gap for Jobs", { gaps: [gap(1.9, 2.2, "jobs")] }, ["2 unknown: gap"]],
    ["in a gap for CronJobs", { gaps: [gap(1.9, 2.2, "cronjobs.batch")] }, ["2 unknown: gap"]],
    ["in a gap for everything", { gaps: [gap(1.9, 2.2)] }, ["2 unknown: gap"]],
    ["if the gap begins in the grace period", { gaps: [gap(2 + minutes(1), 2.5, "jobs")] }, ["2 unknown: gap"]],
    [
      "if the gap begins with the last moment of the grace period",
      { gaps: [gap(2 + minutes(2), 2.5, "jobs")] },
      ["2 unknown: gap"],
    ],
    ["unless the gap begins later", { gaps: [gap(2 + minutes(2.01), 2.5, "jobs")] }, ["2 missed"]],
    ["if the gap ends at that time", { gaps: [gap(1.5, 2, "jobs")] }, ["2 unknown: gap"]],
  ])("%s", (_, range, expected) => {
    expect(outcomes(plan(), [run(1), run(3)], range)).toEqual(["1 ran", ...expected, "3 ran"]);
  });

  it("but a gap for Pods or Nodes hides no run", () => {
    const gaps = [gap(1.9, 2.2, "pods"), gap(1.9, 2.2, "nodes")];
    expect(outcomes(plan(), [run(1), run(3)], { gaps })).toEqual(["1 ran", "2 missed", "3 ran"]);
  });

  it("before the CronJob was first observed", () => {
    const late = plan({}, { observedFrom: hour(2.5) });
    expect(outcomes(late, [run(1)])).toEqual([
      "1 ran",
      "2 unknown: beforeFirstObservation",
      "3 missed, may start late",
    ]);
  });

  it("while the cluster is silent, from its last heartbeat on", () => {
    const range = { heardAt: hour(2.5), now: hour(3.5) };
    expect(outcomes(plan(), [run(1), run(2)], range)).toEqual(["1 ran", "2 ran", "3 unknown: silence"]);
    expect(outcomes(plan(), [run(1)], range)).toEqual(["1 ran", "2 missed, may start late", "3 unknown: silence"]);
  });

  it("while its heartbeat is only late", () => {
    const range = { heardAt: hour(3), now: hour(3 + minutes(4)) };
    expect(outcomes(plan(), [run(1), run(2)], range).at(-1)).toBe("3 pending");
  });

  it("if the CronJob was suspended, changed or deleted just then", () => {
    const spans = [
      { ...span, to: hour(2 + minutes(1)) },
      { ...span, suspend: true, from: hour(2 + minutes(1)) },
    ];
    expect(outcomes(plan({}, { spans }), [run(1)])).toEqual(["1 ran", "2 unknown: changed"]);
    // A change after the grace period hides nothing.
    const later = spans.map((one) => (one.to === undefined ? one : { ...one, to: hour(2 + minutes(2)) }));
    expect(outcomes(plan({}, { spans: later }), [run(1)])[1]).toMatch(/^2 missed/);
  });

  it("and a clock that is behind the cluster's leaves it pending", () => {
    expect(outcomes(plan(), [run(1), run(2)], { now: hour(3), heardAt: hour(2.9) }).at(-1)).toBe("3 pending");
  });
});

describe("a due time during another run", () => {
  const long = run(1, { endedAt: hour(2.5) });

  it("is skipped if the policy is Forbid, and says by which run", () => {
    expect(outcomes(plan({ concurrencyPolicy: "Forbid" }), [long, run(3)])).toEqual([
      "1 ran",
      "2 skipped: hourly-1",
      "3 ran",
    ]);
  });

  it("is skipped during a manual run and during one that has not ended", () => {
    const manual: CronJobRun = { name: "by-hand", createdAt: hour(1.9) };
    const forbid = plan({ concurrencyPolicy: "Forbid" });
    expect(outcomes(forbid, [run(1), manual])).toEqual(["1 ran", "2 skipped: by-hand", "3 skipped: by-hand"]);
  });

  it("is skipped during a run that was created at that very time", () => {
    const manual: CronJobRun = { name: "by-hand", createdAt: hour(2), endedAt: hour(2.1) };
    const forbid = plan({ concurrencyPolicy: "Forbid" });
    expect(outcomes(forbid, [run(1), manual, run(3)])[1]).toBe("2 skipped: by-hand");
  });

  it("is missed after the end of that run", () => {
    const forbid = plan({ concurrencyPolicy: "Forbid" });
    expect(outcomes(forbid, [run(1, { endedAt: hour(2) }), run(3)])[1]).toBe("2 missed");
  });

  it.each(["Allow", "Replace"])("is missed if the policy is %s, which starts it nevertheless", (concurrencyPolicy) => {
    expect(outcomes(plan({ concurrencyPolicy }), [long, run(3)])[1]).toBe("2 missed");
  });

  it("is decided by the policy of that time", () => {
    const spans = [
      { ...span, concurrencyPolicy: "Forbid", to: hour(2.5) },
      { ...span, from: hour(2.5) },
    ];
    const endless: CronJobRun = { name: "endless", createdAt: hour(0.5) };
    expect(outcomes(plan({}, { spans }), [endless])).toEqual([
      "1 skipped: endless",
      "2 skipped: endless",
      "3 missed, may start late",
    ]);
  });
});

function gap(from: number, to: number, ...resources: readonly string[]): DueRange["gaps"][number] {
  return { from: hour(from), to: hour(to), resources };
}
