import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TimeSlice } from "../../../src/ports/concurrency/time-slice.ts";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import { listJobs } from "../../../src/query/list/list-jobs.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { Story } from "../../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const JOBS = 40;
const cluster = clusterNamed("east");

let folder: string;
let embedded: Embedded;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-embedded-"));
  embedded = openEmbedded(join(folder, "outlive.sqlite"));
});

afterEach(() => {
  embedded.close();
  rmSync(folder, { recursive: true });
});

/** A queue that ends its slice after each step of its work. */
function openQueue() {
  let now = 0;
  const slice = new TimeSlice(() => (now += 1_000));
  return embedded.queue({ now: () => NOON, slice, onUnfolded: ([cause]) => expect.fail(String(cause)) });
}

function segmentOf(jobs: number) {
  const facts = Array.from({ length: jobs }, (_, index): readonly Fact[] => {
    const story = new Story(`job-${index}`);
    story.jobCreated();
    return story.facts;
  }).flat();
  return { cluster, ...sealSegment({ cluster, sealedAt: NOON, session: "0123456789abcdef", sequence: 0, facts }) };
}

async function countJobs(): Promise<number> {
  const { log, meta, projections } = embedded;
  const ports = { log, meta, jobs: await liveJobs(projections, meta) };
  const page = await listJobs(ports, "everything", { filter: {}, limit: 100 });
  return page.outcome === "listed" ? page.items.length : Number.NaN;
}

describe("a tracker on one database", () => {
  it("answers between any two Jobs of a segment, and shows all of them or none", async () => {
    const counts: number[] = [];
    const progress = { isSent: false };
    const sent = openQueue()
      .send([segmentOf(JOBS)])
      .then((outcomes) => {
        progress.isSent = true;
        return outcomes;
      });
    while (!progress.isSent) {
      await new Promise((resolve) => setImmediate(resolve));
      counts.push(await countJobs());
    }
    expect(await sent).toEqual([{ outcome: "accepted" }]);
    // 16 Jobs are projected at the same time, and end before the next ones begin.
    expect(counts.filter((count) => count === 0).length).toBeGreaterThanOrEqual(JOBS / 16);
    expect(counts.filter((count) => count !== 0 && count !== JOBS)).toEqual([]);
    expect(await countJobs()).toBe(JOBS);
  });

  it("keeps what others write while a segment is projected", async () => {
    const sent = openQueue().send([segmentOf(JOBS)]);
    await new Promise((resolve) => setImmediate(resolve));
    const write = { value: '{"by":"others"}', expected: 0 };
    expect(await embedded.meta.write("namespace", "west#other", write)).toMatchObject({ outcome: "written" });
    expect(await sent).toEqual([{ outcome: "accepted" }]);
    expect(await embedded.meta.read("namespace", "west#other")).toMatchObject({ value: write.value });
  });
});
