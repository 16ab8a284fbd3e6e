import { describe, expect, it } from "vitest";
import type { DueRun } from "../../../../src/parents/cron-job/due-runs.ts";
import { countLook } from "../../../../src/count/metrics/schedules/counted-cron-job.ts";

const HOUR = 3_600_000;
const named = { uid: "u", namespace: "batch", name: "report" };
const missed = (hours: number, final = true): DueRun => ({ dueAt: hours * HOUR, outcome: "missed", final });
const ran = (hours: number): DueRun => ({ dueAt: hours * HOUR, outcome: "ran" });
const look = (due: readonly DueRun[], hours: number) => ({ findings: [], due, heardAt: hours * HOUR });

describe("what a CronJob adds to the metrics", () => {
  it("is nothing while no run is missed and it has no finding", () => {
    expect(countLook(undefined, named, look([ran(1), missed(2, false)], 2.5))).toBeUndefined();
  });

  it("is each missed run once, however often it is looked at", () => {
    const due = [ran(1), missed(2), missed(3)];
    const first = countLook(undefined, named, look(due, 4.5));
    expect(first).toMatchObject({ missed: 0, recent: [2 * HOUR, 3 * HOUR], shown: 2 });
    expect(countLook(first, named, look(due, 4.5))).toEqual(first);
    const later = countLook(first, named, look(due, 9));
    expect(later).toMatchObject({ missed: 2, recent: [], until: 6 * HOUR, shown: 2 });
    expect(countLook(later, named, look(due, 9))).toEqual(later);
  });

  it("takes back a run that is found within three hours, and shows what it has shown", () => {
    const first = countLook(undefined, named, look([missed(2)], 3.5));
    expect(countLook(first, named, look([ran(2)], 4.5))).toMatchObject({ missed: 0, recent: [], shown: 1 });
  });

  it("waits for a due time that may still be started late, however long", () => {
    const first = countLook(undefined, named, look([missed(6), missed(30, false)], 31));
    expect(first).toMatchObject({ missed: 1, until: 28 * HOUR });
    const waiting = countLook(first, named, look([missed(6), missed(30, false)], 50));
    expect(waiting).toMatchObject({ missed: 1, until: 30 * HOUR - 1 });
    expect(countLook(waiting, named, look([missed(6), missed(30)], 55))).toMatchObject({ missed: 2 });
  });

  it("keeps missed runs that a look does not reach", () => {
    const first = countLook(undefined, named, look([missed(2)], 3.5));
    expect(countLook(first, named, look([missed(3)], 4.5))).toMatchObject({ recent: [2 * HOUR, 3 * HOUR], shown: 2 });
  });

  it("is each kind of finding that it ever had, and those that are open", () => {
    const failing = { kind: "ConsecutiveFailures", since: 0, count: 3, run: "r", atLeast: false } as const;
    const first = countLook(undefined, named, { findings: [failing], due: [], heardAt: HOUR });
    expect(first).toMatchObject({ kinds: ["ConsecutiveFailures"], open: ["ConsecutiveFailures"] });
    expect(countLook(first, named, look([], 2))).toMatchObject({ kinds: ["ConsecutiveFailures"], open: [] });
  });

  it("keeps the labels under which it was counted first", () => {
    const shownAs = { namespace: "batch", cronJob: "other" };
    const first = countLook(undefined, { ...named, shownAs }, look([missed(2)], 3.5));
    expect(countLook(first, named, look([], 4))?.shownAs).toEqual(shownAs);
  });
});
