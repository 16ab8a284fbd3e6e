import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { withNamedDueTime, withoutNamedDueTime } from "../../../src/projection/job-state/named-due-time.ts";
import { toStored } from "../../../src/projection/job-state/stored-summary.ts";
import { packSummary, unpackSummary } from "../../../src/projection/job-state/summary-bytes.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const scheduledAt = "2026-06-01T02:00:00Z";
const minute = Date.parse(scheduledAt) / 60_000;
const owner = { kind: "CronJob", name: "nightly", uid: "c1" };
const run = (said: Partial<JobAnswer>): JobAnswer =>
  listedJob({ name: `nightly-${minute}`, owner, createdAt: "2026-06-01T02:00:01Z", ...said });

const RUNS: readonly (readonly [string, JobAnswer])[] = [
  ["a run that the controller created", run({ scheduledAt })],
  ["a run whose name and annotation differ", run({ name: "nightly-28900000", scheduledAt })],
  ["a renamed run", run({ name: "restored", scheduledAt })],
  ["a manual run", run({ name: "nightly-2" })],
  ["a manual run whose name looks like a due time", run({})],
  ["a Job without a CronJob", listedJob({ name: `nightly-${minute}` })],
];

describe("a stored summary", () => {
  it.each(RUNS)("has the due time that was stored: %s", (_, answer) => {
    const stored = toStored(answer);
    expect(withNamedDueTime(withoutNamedDueTime(stored))).toEqual(stored);
    expect(unpackSummary(packSummary(answer))).toEqual(JSON.parse(JSON.stringify(answer)));
  });

  it("is as long as before due times were stored, for each run that the controller created", () => {
    const { scheduledAt: _, ...short } = toStored(run({ scheduledAt }));
    expect(withoutNamedDueTime(toStored(run({ scheduledAt })))).toEqual(short);
  });

  it("of an earlier release is dated by its name", () => {
    const old = Buffer.from(JSON.stringify(run({})));
    expect(unpackSummary(old).scheduledAt).toBe(scheduledAt);
    expect(unpackSummary(Buffer.from(JSON.stringify(run({ name: "nightly-2" })))).scheduledAt).toBeUndefined();
  });
});
