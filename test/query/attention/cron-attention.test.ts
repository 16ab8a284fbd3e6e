import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import { cronAttention } from "../../../src/query/attention/cron-attention.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { MeteredTrackers, tell } from "../../support/stores/metered-tracker.ts";
import { cronJobOf, heardAfter, hourly, runAt } from "../../support/story/hourly-cron-job.ts";

const trackers = new MeteredTrackers();
afterAll(() => trackers.clear());

async function trackerWith(facts: readonly Fact[], hours: number) {
  const embedded = trackers.open();
  const { meta, log, projections } = embedded;
  const { facts: heard, now } = heardAfter(hours);
  await tell(embedded, facts);
  await tell(embedded, heard);
  const ports: QueryPorts = { jobs: await liveJobs(projections, meta), meta, log };
  return { ports, now };
}

describe("a CronJob that missed runs", () => {
  let scene: Awaited<ReturnType<typeof trackerWith>>;
  beforeAll(async () => {
    scene = await trackerWith([hourly(), ...runAt(1).facts], 3.5);
  });

  it("needs attention, as failed, since its last missed run", async () => {
    expect(await cronAttention(scene.ports, "everything", { now: scene.now })).toEqual({
      parts: [
        expect.objectContaining({
          namespace: "default",
          group: { type: "series", kind: "CronJob", name: "hourly", uid: "cron-1" },
          kind: "MissedRun",
          severity: "failed",
          at: Date.parse("2026-01-01T03:00:00Z"),
          otherKinds: [],
        }),
      ],
      omitted: 0,
    });
  });

  it.each([{ namespace: "other" }, { scope: { grants: [] } }])("is not in an answer about %o", async (of) => {
    const { scope = "everything", ...query } = { scope: undefined, ...of };
    const { parts } = await cronAttention(scene.ports, scope, { ...query, now: scene.now });
    expect(parts).toEqual([]);
  });
});

describe("CronJobs", () => {
  it("whose last runs failed need attention", async () => {
    const failed = [1, 2, 3].flatMap((hours) => runAt(hours, "Failed").facts);
    const { ports, now } = await trackerWith([hourly(), ...failed], 3.5);
    const { parts } = await cronAttention(ports, "everything", { now });
    expect(parts).toMatchObject([{ kind: "ConsecutiveFailures", severity: "failed" }]);
  });

  it("beyond the first hundred that are late are counted, not examined", async () => {
    const many = Array.from({ length: 103 }, (_, n) => cronJobOf("0 * * * *", `uid-${n}`, `cron-${n}`));
    const { ports, now } = await trackerWith(many, 3.5);
    const { parts, omitted } = await cronAttention(ports, "everything", { now });
    expect(parts).toHaveLength(100);
    expect(omitted).toBe(3);
  });
});
