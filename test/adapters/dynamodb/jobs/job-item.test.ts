import { describe, expect, it } from "vitest";
import { eventsOfJob, jobUidOf, type PlannedJob } from "../../../../bench/fleet/job-template.ts";
import { chartMetadata } from "../../../../bench/fleet/series-metadata.ts";
import { itemBytes } from "../../../../src/adapters/dynamodb/item-size.ts";
import { isJobFact } from "../../../../src/job/model/fact.ts";
import { translate } from "../../../../src/kubernetes/translate/translate.ts";
import { rowOf } from "../../../../src/projection/job-state/derive-row.ts";
import { emptyJobState } from "../../../../src/projection/job-state/job-state.ts";
import { joinJobState } from "../../../../src/projection/job-state/join-job-state.ts";
import { throwAwayPages } from "../../../../src/upkeep/replay/fresh-fold.ts";
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

/** The size of the item after each watch event of a Job of a CronJob, which ends the way it says. */
async function itemSizes(own: Pick<PlannedJob, "end" | "metadata">): Promise<readonly number[]> {
  const series = "nightly-report";
  const owner = { name: series, uid: "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d" };
  const place = { cluster: "production-1", namespace: "billing", number: 7 };
  const job = { ...own, ...place, name: `${series}-29000001`, lifetime: 40_000, ttl: 3_600_000, owner };
  const uid = jobUid(jobUidOf(job));
  const sizes: number[] = [];
  let state = emptyJobState(uid);
  for (const { ms, event } of eventsOfJob(job, NOW)) {
    const translated = translate(event);
    const facts = translated.outcome === "translated" ? translated.facts.filter(isJobFact) : [];
    // The exporter sends the beginning, the end and the deletion of a Job in a segment each.
    const part = [5_000, 600_000, Infinity].findIndex((end) => ms < end);
    const sealedAt = NOW + part * 40_000;
    const pack = { shard: 1, arrivedAt: sealedAt + 1_300 };
    const segments = [{ sealedAt, session: "0123456789abcdef", sequence: 4_000 * part, pack }];
    const joined = await joinJobState(state, { facts, segments }, throwAwayPages());
    if (joined === undefined) continue;
    state = joined.state;
    const row = rowOf(key.cluster, state);
    const write = { version: 3, now: NOW, retention: uniformRetention(400) };
    sizes.push(itemBytes(fromJobState({ ...key, jobUid: uid }, { bytes: joined.bytes, ...(row && { row }) }, write)));
  }
  return sizes;
}

describe("the item of a Job with one Pod", () => {
  const metadata = chartMetadata({ namespace: "billing", series: "nightly-report" });

  it.each([
    ["one label", {}, 860],
    ["ten labels and three annotations of 420 bytes", { metadata }, 1_024],
  ])("fits one write unit after every event, with %s", async (_, labelled, most) => {
    const sizes = await itemSizes({ end: "completes", ...labelled });
    expect(sizes.length).toBeGreaterThan(10);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(most);
  });
});
