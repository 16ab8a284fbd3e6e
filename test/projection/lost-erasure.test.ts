import type { OpenedItem } from "../../src/ports/log.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { withoutErased } from "../../src/log/erasure/without-erased.ts";
import { projectSegments } from "../../src/projection/project-segments.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { EIGHT, endedJob, HOUR } from "../support/archive/archive-scene.ts";
import { erasureOfJob, storeErasure } from "../support/erasure/archived-erasure.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { MemoryJobStore } from "../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

const RETRY = { attempts: 1, pause: async () => {} };
const erasure = erasureOfJob("report", EIGHT + HOUR);
const facts = [...endedJob({ name: "report", createdAt: EIGHT }), ...endedJob({ name: "other", createdAt: EIGHT })];
const sealed = sealSegment({
  cluster: clusterNamed("east"),
  sealedAt: EIGHT,
  session: "0123456789abcdef",
  sequence: 1,
  facts,
});

/** What an erasure has left of the segment in the log. */
let remains: OpenedItem;
beforeEach(async () => {
  const meta = new MemoryMetaStore();
  await storeErasure(meta, erasure);
  const decoded = decodeSegment(sealed.bytes);
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  const left = await withoutErased(meta, decoded);
  if (left === undefined) throw new Error("The segment has nothing of the Job.");
  remains = { ...left.sealed, key: sealed.key };
});

async function project(meta: MemoryMetaStore) {
  const jobs = new MemoryJobStore();
  const { written, refold } = await projectSegments({ jobs, meta }, [remains], RETRY);
  return { written, causes: refold.map(({ cause }) => String(cause)) };
}

describe("a log that was erased", () => {
  it("is projected where the records have the erasure", async () => {
    const meta = new MemoryMetaStore();
    await storeErasure(meta, erasure);
    expect(await project(meta)).toEqual({ written: 1, causes: [] });
  });

  it("is refused, with what to do, where the records were restored from before the erasure", async () => {
    expect(await project(new MemoryMetaStore())).toEqual({
      written: 0,
      causes: [expect.stringMatching(/erasure-1.*restored from before it.*`outlive erase --apply`/)],
    });
  });

  it("is projected once the erasure is recorded again", async () => {
    const meta = new MemoryMetaStore();
    await project(meta);
    await storeErasure(meta, erasure);
    expect(await project(meta)).toMatchObject({ written: 1, causes: [] });
  });
});
