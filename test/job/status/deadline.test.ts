import { describe, expect, it } from "vitest";
import { isPastDeadline } from "../../../src/job/status/deadline.ts";
import type { ReportedStatus } from "../../../src/job/model/reported-status.ts";

const started = (conditions: ReportedStatus["conditions"] = []) => ({ startTime: 1_000_000, conditions });
const suspended = { type: "Suspended", status: "True", reason: "JobSuspended" };
const resumed = { ...suspended, status: "False", reason: "JobResumed" };
const plain = { suspend: false, activeDeadlineSeconds: 10 };

describe("the deadline of a Job", () => {
  it.each<
    readonly [string, Parameters<typeof isPastDeadline>[0], Parameters<typeof isPastDeadline>[1], number, boolean]
  >([
    ["is not past one millisecond before it", plain, started(), 9_999, false],
    ["is past when it is reached", plain, started(), 10_000, true],
    ["is never past if it is unset", { suspend: false }, started(), 1_000_000, false],
    ["does not run before the Job has started", plain, { conditions: [] }, 1_000_000, false],
    ["does not run without a report", plain, undefined, 1_000_000, false],
    ["does not run while the Job is suspended", { ...plain, suspend: true }, started(), 1_000_000, false],
    ["waits for the new startTime of a resumed Job", plain, started([suspended]), 1_000_000, false],
    ["runs again once the Job was resumed", plain, started([resumed]), 10_000, true],
    ["of 0 seconds is past at once", { suspend: false, activeDeadlineSeconds: 0 }, started(), 0, true],
  ])("%s", (_, spec, reported, afterMs, expected) => {
    expect(isPastDeadline(spec, reported, 1_000_000 + afterMs)).toBe(expected);
  });
});
