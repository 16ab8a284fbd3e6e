import { describe, expect, it } from "vitest";
import { projectSegments } from "../../../../src/projection/project-segments.ts";
import { joinerOfJobs } from "../../../../src/upkeep/replay/spread/join-jobs.ts";
import { MemoryStates } from "../../../../src/upkeep/replay/spread/memory-states.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";
import { memberFacts } from "../../../support/facts/run-facts.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { MemoryPackedLog } from "../../../support/stores/memory-packs.ts";
import { MemoryProjections } from "../../../support/stores/memory-projections.ts";
import { sealInSegments } from "../../../support/stores/seal-in-segments.ts";
import { PATIENT } from "../../../support/stores/two-projections.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const items = sealInSegments(memberFacts({ name: "train", createdAt: NOON, jobs: ["train-0"] }), 3, NOON);
const meta = new MemoryMetaStore();

describe("the partial states of a Job", () => {
  it("give the state, the row and the last segment that a projector would have written", async () => {
    const key = { cluster: clusterNamed("east"), jobUid: jobUid("train-0") };
    const partials: Uint8Array[] = [];
    for (const item of items) {
      const states = new MemoryStates();
      await projectSegments({ jobs: states, meta, notedNamespaces: new Set() }, [item], PATIENT);
      for (const [, bytes] of await states.whole()) partials.push(bytes);
    }
    const projections = new MemoryProjections();
    await projectSegments({ jobs: projections.open("A"), meta }, items, PATIENT);
    const idle = projections.idle("B");
    const joined = await joinerOfJobs({ log: new MemoryPackedLog(), meta, since: NOON, idle }).join(key, partials);
    const { bytes, row } = (await projections.open("A").read(key)) ?? expect.fail();
    expect(partials.length).toBeGreaterThan(1);
    expect(joined).toMatchObject({ state: { bytes, row }, latestAt: NOON + (items.length - 1) * 1_000 });
  });
});
