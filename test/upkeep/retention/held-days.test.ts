import { describe, expect, it } from "vitest";
import { type Held, holdKey } from "../../../src/ports/meta-key.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { holdRecord, legalHolds } from "../../../src/upkeep/holds/legal-holds.ts";
import { daysOfOldJobs, heldDays } from "../../../src/upkeep/retention/held-days.ts";
import { readRetentionRules } from "../../../src/upkeep/retention/retention-rules.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";

const DAY = 24 * HOUR;

async function daysHeldBy(held: Held | undefined): Promise<readonly string[]> {
  const { tracker } = new ArchiveScene();
  for (const [day, namespace] of ["shop", "shop", "bank"].entries()) {
    const createdAt = EIGHT + day * DAY;
    await tracker.tell(endedJob({ name: `job-${day}`, createdAt, namespace }), createdAt + 5 * MINUTE);
  }
  const { meta, projections } = tracker.stores;
  if (held !== undefined) {
    const value = { reason: "case", heldAt: "2026-11-21T08:00:00Z" };
    await writeRecord(meta, holdRecord, { key: holdKey(held), value, expected: 0 });
  }
  return [
    ...(await heldDays({ meta, projections }, await readRetentionRules({ meta, holds: [legalHolds] }, 30))),
  ].sort();
}

describe("the days of the log that holds keep", () => {
  it.each([
    ["a cluster", { cluster: "east" }, ["east#20261121", "east#20261122", "east#20261123"]],
    ["a namespace", { cluster: "east", namespace: "shop" }, ["east#20261121", "east#20261122"]],
    ["a name", { cluster: "east", namespace: "shop", name: "job-1" }, ["east#20261122"]],
    ["another cluster", { cluster: "west" }, []],
  ])("are those with facts about the Jobs of %s", async (_, held, days) => {
    expect(await daysHeldBy(held)).toEqual(days);
  });

  it("are none without holds", async () => {
    expect(await daysHeldBy(undefined)).toEqual([]);
  });
});

describe("the days of the log that stored Jobs need", () => {
  it.each([
    ["was created long ago", 0, ["east#20261121"]],
    ["was created later", 10, []],
    ["was created in the future, by a wrong clock", 1_000, ["east#20261121"]],
  ])("are those with facts about one that %s", async (_, daysLater, days) => {
    const { tracker } = new ArchiveScene();
    const [created, ...others] = endedJob({ name: "job", createdAt: EIGHT, namespace: "shop" });
    if (created?.kind !== "JobCreated") throw new Error("The first fact of a Job is its creation.");
    await tracker.tell([{ ...created, createdAt: EIGHT + daysLater * DAY }, ...others], EIGHT + 5 * MINUTE);
    const range = { before: EIGHT + 5 * DAY, now: EIGHT + 100 * DAY };
    expect([...(await daysOfOldJobs(tracker.stores, clusterNamed("east"), range))]).toEqual(days);
  });
});
