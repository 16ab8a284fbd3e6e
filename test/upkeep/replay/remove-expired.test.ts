import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { isJobFact } from "../../../src/job/model/fact.ts";
import { holdKey } from "../../../src/ports/meta-key.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { holdRecord } from "../../../src/upkeep/holds/legal-holds.ts";
import { EIGHT, endedJob, HOUR } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const DAY = 24 * HOUR;
const cluster = clusterNamed("east");
const namespace = "shop";

let embedded: Embedded;
beforeEach(async () => {
  embedded = openEmbedded(":memory:");
  for (const [day, name] of ["first", "second"].entries()) {
    const createdAt = EIGHT + day * DAY;
    await embedded.importFacts(once(endedJob({ name, createdAt, namespace })), { cluster, now: createdAt + HOUR });
  }
  await embedded.sweep({ now: EIGHT + 2 * DAY });
});
afterEach(() => embedded.close());

async function* once(facts: ReturnType<typeof endedJob>) {
  yield facts;
}

async function names(): Promise<readonly string[]> {
  const jobs = await liveJobs(embedded.projections, embedded.meta);
  const { rows } = await jobs.list({ cluster, namespace }, { limit: 10 });
  return rows.map(({ name }) => name).sort();
}

/** Deletes the first Job, whose end is 30 hours ago. */
const forgetFirst = () => embedded.forget({ days: 1, now: EIGHT + 30 * HOUR });

const hold = (heldAt: number) =>
  writeRecord(embedded.meta, holdRecord, {
    key: holdKey({ cluster, namespace, name: "first" }),
    value: { reason: "audit", heldAt: new Date(heldAt).toISOString() },
    expected: 0,
  });

describe("Jobs that retention has deleted", () => {
  it("are no difference, and stay deleted after a replay", async () => {
    expect(await forgetFirst()).toMatchObject({ jobs: 1 });
    expect(await embedded.verify()).toMatchObject({ jobs: 1, removed: 1, mismatches: [], records: [] });
    expect(await embedded.replay()).toMatchObject({ outcome: "switched" });
    expect(await names()).toEqual(["second"]);
    expect(await embedded.verify()).toMatchObject({ jobs: 1, removed: 1, mismatches: [], records: [] });
  });

  it("stay deleted if the retention becomes longer, and through several replays", async () => {
    await forgetFirst();
    await embedded.forget({ days: 400, now: EIGHT + 30 * HOUR });
    await embedded.replay();
    await embedded.replay();
    expect(await names()).toEqual(["second"]);
  });

  it("stay deleted if a hold is set afterwards", async () => {
    await forgetFirst();
    await hold(EIGHT + 40 * HOUR);
    await embedded.replay();
    expect(await names()).toEqual(["second"]);
  });
});

describe("a Job that the projection has lost", () => {
  it("is missing if retention has not reached it, and a replay rebuilds it", async () => {
    await forgetFirst();
    const [second] = (await embedded.projections.open("A").list({ cluster, namespace }, { limit: 10 })).rows;
    if (second !== undefined) await embedded.eraser.removeJob("A", { cluster, jobUid: second.jobUid });
    expect((await embedded.verify()).mismatches).toMatchObject([{ problem: "missing" }]);
    await embedded.replay();
    expect(await names()).toEqual(["second"]);
  });

  it("is missing if a hold kept it, and a replay rebuilds it", async () => {
    await hold(EIGHT + 10 * HOUR);
    const { rows } = await embedded.projections.open("A").list({ cluster, namespace }, { limit: 10 });
    await embedded.sweep({ now: EIGHT + 4 * DAY });
    expect(await embedded.forget({ days: 1, now: EIGHT + 4 * DAY })).toMatchObject({ jobs: 1, kept: { jobs: 1 } });
    for (const { jobUid } of rows.filter(({ name }) => name === "first")) {
      await embedded.eraser.removeJob("A", { cluster, jobUid });
    }
    expect((await embedded.verify()).mismatches).toMatchObject([{ problem: "missing" }]);
    await embedded.replay();
    expect(await names()).toEqual(["first"]);
  });
});

describe("a Job that no segment states", () => {
  it("is a difference, and a replay removes it", async () => {
    const [row] = (await embedded.projections.open("A").list({ cluster, namespace }, { limit: 10 })).rows;
    const [other] = endedJob({ name: "invented", createdAt: EIGHT, namespace }).filter(isJobFact);
    const stored = row && (await embedded.projections.open("A").read({ cluster, jobUid: row.jobUid }));
    expect([stored, other]).not.toContain(undefined);
    if (stored === undefined || other === undefined) return;
    await embedded.projections.open("A").write({ cluster, jobUid: other.jobUid }, stored, 0);
    expect((await embedded.verify()).mismatches).toMatchObject([{ jobUid: other.jobUid, problem: "additional" }]);
    await embedded.replay();
    expect(await embedded.verify()).toMatchObject({ jobs: 2, mismatches: [] });
  });
});
