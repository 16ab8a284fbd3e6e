import { describe, expect, it } from "vitest";
import { eraseSubjects } from "../../../src/log/erasure/command/erase-views.ts";
import { Erasure } from "../../../src/log/erasure/erasure.ts";
import { knownOf, scopeOf } from "../../../src/log/erasure/erasure-target.ts";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { decodeJobUid } from "../../../src/job/model/ids.ts";
import { holdKey } from "../../../src/ports/meta-key.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { holdRecord } from "../../../src/upkeep/holds/legal-holds.ts";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import { scrape, total } from "../../support/stores/metered-tracker.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { queuedJobSet, restartedJobSet } from "../../support/story/run-story.ts";

const DAY = 86_400_000;
const SALT = "c2FsdHNhbHRzYWx0c2FsdA";
const cluster = clusterOf("east");

async function* batches(facts: readonly Fact[]) {
  yield facts;
}

async function imported() {
  const tracker = openEmbedded(":memory:");
  const now = Date.parse("2026-01-02T00:00:00Z");
  await tracker.importFacts(batches([...restartedJobSet(), ...queuedJobSet()]), { cluster, now });
  return tracker;
}

async function storedRuns({ meta, projections }: Awaited<ReturnType<typeof imported>>) {
  const { live } = await readLivePointer(meta);
  const uids = ["train-uid", "next-uid"].map((uid) => decodeJobUid(uid) ?? expect.fail());
  const stored = await Promise.all(uids.map((jobUid) => projections.runs(live).read({ cluster, jobUid })));
  return uids.filter((_, index) => stored[index] !== undefined);
}

describe("the runs of a database file", () => {
  it("expire with their last Job, and a replay does not bring them back; one that goes on stays", async () => {
    const tracker = await imported();
    const now = Date.parse("2026-01-01T00:00:00Z");
    // The rows of Jobs with a cause are complete after a sweep.
    await tracker.sweep({ now: now + DAY });
    await tracker.forget({ days: 30, now: now + 20 * DAY });
    expect(await storedRuns(tracker)).toEqual(["train-uid", "next-uid"]);
    expect(await tracker.forget({ days: 30, now: now + 32 * DAY })).toMatchObject({ jobs: 4 });
    expect(await storedRuns(tracker)).toEqual(["next-uid"]);
    expect((await tracker.verify()).mismatches).toEqual([]);
    await tracker.replay();
    expect(await storedRuns(tracker)).toEqual(["next-uid"]);
    expect((await tracker.verify()).mismatches).toEqual([]);
  });

  it("stay counted when they expire, without a contribution of their own once the log lacks them", async () => {
    const tracker = await imported();
    const now = Date.parse("2026-01-01T00:00:00Z");
    await tracker.sweep({ now: now + DAY });
    const finished = async () => total(await scrape(tracker), "outlive_runs_finished_total");
    const subjects = async () => tracker.eraser.metrics?.subjects(cluster);
    expect([await finished(), await subjects()]).toEqual([1, expect.arrayContaining(["run/train-uid"])]);
    await tracker.forget({ days: 30, now: now + 90 * DAY });
    expect(await subjects()).not.toContain("run/train-uid");
    expect(await finished()).toBe(1);
  });

  it("stay counted once when a Job of them is erased", async () => {
    const tracker = await imported();
    const target = { level: "job", cluster, namespace: "ml", name: "train-worker-0" } as const;
    const scope = scopeOf(
      { target, at: Date.now(), by: "alice", reason: "request 12" },
      { id: "erasure-1", salt: SALT },
    );
    const erasure = new Erasure(scope, knownOf(target, SALT));
    await eraseSubjects(tracker, erasure, cluster);
    await tracker.importFacts(batches(restartedJobSet()), { cluster, now: Date.now() });
    await tracker.replay();
    expect(total(await scrape(tracker), "outlive_runs_finished_total")).toBe(1);
  });

  it.each([
    ["a Job of theirs", { namespace: "ml", name: "train-worker-1" }],
    ["their own name", { namespace: "ml", name: "train" }],
  ])("are kept by a hold on %s", async (_, held) => {
    const tracker = await imported();
    const now = Date.parse("2026-01-01T00:00:00Z");
    await tracker.sweep({ now: now + DAY });
    const key = holdKey({ cluster, ...held });
    const heldAt = "2026-01-02T00:00:00Z";
    await writeRecord(tracker.meta, holdRecord, { key, value: { reason: "case", heldAt }, expected: 0 });
    await tracker.forget({ days: 30, now: now + 32 * DAY });
    expect(await storedRuns(tracker)).toEqual(["train-uid", "next-uid"]);
    const value = { reason: "case", heldAt, releasedAt: "2026-02-02T00:00:00Z" };
    await writeRecord(tracker.meta, holdRecord, { key, value, expected: 1 });
    await tracker.forget({ days: 30, now: now + 33 * DAY });
    expect(await storedRuns(tracker)).toEqual(["next-uid"]);
  });
});
