import { describe, expect, it } from "vitest";
import { uniformRetention } from "../../../../src/ports/expiry/job-expiry.ts";
import { fromJobState } from "../../../../src/adapters/dynamodb/jobs/job-item.ts";
import type { JobRow } from "../../../../src/ports/job-row.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21);
const key = { cluster: clusterNamed("east"), jobUid: jobUid("report") };

/** In days from now; `undefined`: never. */
function expiryOf(row: Pick<JobRow, "phase" | "createdAt" | "endedAt">): number | undefined {
  const whole = { namespace: "shop", name: "report", attention: false, summary: Uint8Array.of(1), ...row };
  const item = fromJobState(
    key,
    { bytes: Uint8Array.of(1), row: whole },
    { version: 1, now: NOW, retention: uniformRetention(30) },
  );
  const expiry = item["ttl"]?.N;
  return expiry === undefined ? undefined : (Number(expiry) * 1_000 - NOW) / DAY;
}

describe("the state of a Job", () => {
  it("expires with its retention after its end", () => {
    expect(expiryOf({ phase: "F", createdAt: NOW - 20 * DAY, endedAt: NOW - 10 * DAY })).toBe(20);
    expect(expiryOf({ phase: "F", createdAt: NOW - 20 * DAY })).toBe(10);
  });

  it("does not expire while the Job lives", () => {
    expect(expiryOf({ phase: "A", createdAt: NOW - 500 * DAY })).toBeUndefined();
  });

  it("is kept until the archive has read it, if the Job ended long before its facts arrived", () => {
    expect(expiryOf({ phase: "F", createdAt: NOW - 500 * DAY, endedAt: NOW - 400 * DAY })).toBe(2);
  });
});
