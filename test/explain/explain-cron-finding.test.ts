import { describe, expect, it } from "vitest";
import { explainCronFinding } from "../../src/explain/explain-cron-finding.ts";
import type { CronFinding } from "../../src/job/schedule/cron-findings.ts";

const at = (hours: number): number => Date.parse("2026-06-01T00:00:00Z") + hours * 3_600_000;
const missed = { kind: "MissedRun", since: at(3), lastDueAt: at(3), count: 1, final: true } as const;
const failures = { kind: "ConsecutiveFailures", since: at(1), count: 3, run: "nightly-3", atLeast: false } as const;
const overlap = { kind: "OverlappingRun", since: at(2), run: "nightly-1" } as const;
const overlaps = "Run nightly-1 was still in progress when the next run was due at 2026-06-01T02:00:00Z";

describe("a finding about a CronJob in words", () => {
  it.each<[CronFinding, string]>([
    [missed, "No run was created for the due time 2026-06-01T03:00:00Z."],
    [{ ...missed, final: false }, "No run was created for the due time 2026-06-01T03:00:00Z; it may still start late."],
    [
      { ...missed, since: at(1), count: 3 },
      "No run was created for 3 due times from 2026-06-01T01:00:00Z to 2026-06-01T03:00:00Z.",
    ],
    [
      { ...missed, startingDeadlineSeconds: 60 },
      "No run was created for the due time 2026-06-01T03:00:00Z within startingDeadlineSeconds (60).",
    ],
    [failures, "The last 3 runs failed, since 2026-06-01T01:00:00Z; the newest is nightly-3."],
    [
      { ...failures, atLeast: true },
      "The last known 3 runs failed, since 2026-06-01T01:00:00Z; the newest is nightly-3.",
    ],
    [
      { kind: "SlowRun", since: at(1), run: "nightly-1", runningMillis: 5_400_000, usualMillis: 600_000 },
      "Run nightly-1 has been running for 1 h 30 min; runs usually take 10 min.",
    ],
    [{ ...overlap, concurrencyPolicy: "Allow" }, `${overlaps}; both run at the same time (concurrencyPolicy Allow).`],
    [
      { ...overlap, concurrencyPolicy: "Forbid" },
      `${overlaps}; runs are skipped until it ends (concurrencyPolicy Forbid).`,
    ],
    [
      { ...overlap, concurrencyPolicy: "Replace" },
      `${overlaps}; the next run replaces it (concurrencyPolicy Replace).`,
    ],
    [{ ...overlap, concurrencyPolicy: "" }, `${overlaps}.`],
  ])("%o", (finding, text) => {
    expect(explainCronFinding(finding)).toBe(text);
  });
});
