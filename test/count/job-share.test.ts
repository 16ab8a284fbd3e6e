import { describe, expect, it } from "vitest";
import { needsState, shareOf } from "../../src/count/job-share.ts";
import { durationBucket } from "../../src/job/status/duration-bucket.ts";
import { usageAt } from "../support/facts/usage-of.ts";
import { jobUid } from "../support/facts/names.ts";
import { listedJob, rowOf, second } from "../support/story/listed-job.ts";

const UID = jobUid("uid-1");
const NO_BYTES = new Uint8Array();
const PODS = { seen: 3, succeeded: 3, failed: 0, active: 0, terminating: 0, unknown: 0 };

describe("the share of a Job in the counts", () => {
  it("is one Job of its namespace, owner, state and findings, in the hour of its creation", () => {
    const job = listedJob({
      createdAt: second(3_700),
      owner: { kind: "CronJob", name: "nightly", uid: "c" },
      findings: [{ kind: "LimitReached", message: "", evidence: [] }],
    });
    expect(shareOf(UID, { bytes: NO_BYTES, row: rowOf(job) })).toEqual({
      hour: Date.parse(second(3_600)),
      cell: {
        namespace: "batch",
        group: "CronJob/nightly",
        state: "Complete",
        findings: "LimitReached",
        durations: new Map([[durationBucket(10_000), 1]]),
        jobs: 1,
        attention: 1,
        podsSeen: 1,
        podsSucceeded: 1,
        podsFailed: 0,
        jobsAgain: 0,
        needlessRuns: 0,
        needlessMillis: 0,
      },
    });
  });

  it("has what the Job reserved, and is a share without it where that cannot be read", () => {
    const usage = usageAt(0, 1, { kept: 5 });
    const { usage: own } = shareOf(UID, { bytes: NO_BYTES, row: rowOf(listedJob(), usage) }) ?? {};
    expect(own?.get(0)).toMatchObject({ pods: 1, podTime: new Map([["kept", 5_000n]]) });
    const later = Buffer.from(JSON.stringify({ ...listedJob(), usage: Buffer.of(1, 60, 0).toString("base64") }));
    const share = shareOf(UID, { bytes: NO_BYTES, row: { ...rowOf(listedJob()), summary: later } });
    expect([share?.cell.jobs, share?.usage]).toEqual([1, undefined]);
  });

  it("has no duration for a Job that runs", () => {
    const { finishedAt: _, ...running } = listedJob();
    expect(shareOf(UID, { bytes: NO_BYTES, row: rowOf(running) })?.cell.durations.size).toBe(0);
  });

  it("counts Pods that ran needlessly, without their time where the state cannot be read", () => {
    const row = rowOf(listedJob({ pods: PODS }));
    expect(needsState(row)).toBe(true);
    expect(needsState(rowOf(listedJob()))).toBe(false);
    const share = shareOf(UID, { bytes: Uint8Array.of(255), row });
    expect(share?.cell).toMatchObject({ jobsAgain: 1, needlessRuns: 2, needlessMillis: 0 });
  });

  it.each([Uint8Array.of(9), Uint8Array.of(1, 2, 3), Buffer.from("{"), Buffer.from("{}")])(
    "is none where its summary cannot be read: %j",
    (summary) => {
      const row = { ...rowOf(listedJob()), summary };
      expect(shareOf(UID, { bytes: NO_BYTES, row })).toBeUndefined();
      expect(needsState(row)).toBe(false);
    },
  );

  it("is none while its name is unknown", () => {
    expect(shareOf(UID, { bytes: NO_BYTES })).toBeUndefined();
  });
});
