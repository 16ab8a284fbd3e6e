import { afterEach, describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { Embedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { JobStore } from "../../../src/ports/jobs.ts";
import { LIVE_KEY } from "../../../src/ports/meta-key.ts";
import type { ClearableProjections } from "../../../src/ports/projections.ts";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import { packSummary, unpackSummary } from "../../../src/projection/job-state/summary-bytes.ts";
import { compareProjections, NoTrialError } from "../../../src/upkeep/replay/compare-projections.ts";
import { rebuildProjection } from "../../../src/upkeep/replay/rebuild-projection.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MeteredTrackers, tell } from "../../support/stores/metered-tracker.ts";
import { PATIENT } from "../../support/stores/two-projections.ts";
import { Story } from "../../support/story/story.ts";

const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

function failed(name: string): Story {
  const story = new Story(name);
  story.jobCreated({ backoffLimit: 0 });
  story.podFails("a", 1, 10);
  story.jobFinished("Failed", "BackoffLimitExceeded");
  return story;
}

async function trackerOf(...names: readonly string[]): Promise<Embedded> {
  const embedded = trackers.open();
  for (const name of names) await tell(embedded, failed(name).facts);
  return embedded;
}

/** A projector that reports the end of every failed Job as a success: a release with a fault. */
function withFault(projections: ClearableProjections): ClearableProjections {
  return {
    open: (name) => faulty(projections.open(name)),
    runs: (name) => projections.runs(name),
    clear: async (name) => projections.clear(name),
  };
}

function faulty(store: JobStore): JobStore {
  return changing(store, (answer) => {
    const failed = answer.verdict.state === "Failed";
    return { ...answer, verdict: { ...answer.verdict, ...(failed && { state: "Complete" as const }) } };
  });
}

/** As if a sweep had found that a person is responsible for each cause. */
function swept(store: JobStore): JobStore {
  return changing(store, ({ cause, ...answer }) => ({
    ...answer,
    ...(cause && { cause: { ...cause, responsible: "person" as const } }),
  }));
}

function changing(store: JobStore, change: (answer: JobAnswer) => JobAnswer): JobStore {
  return Object.assign(Object.create(store) as JobStore, {
    write: async (...[key, state, expected]: Parameters<JobStore["write"]>) => {
      if (state.row === undefined) return store.write(key, state, expected);
      const summary = packSummary(change(unpackSummary(state.row.summary)));
      return store.write(key, { ...state, row: { ...state.row, summary } }, expected);
    },
  });
}

describe("the comparison of two projections", () => {
  it("finds no difference of the same projector", async () => {
    const embedded = await trackerOf("a", "b", "c");
    expect(await embedded.replay({ isTrial: true })).toMatchObject({ outcome: "kept", live: "A" });
    expect(await compareProjections(embedded)).toEqual({ jobs: 3, different: [], differentBeyond: 0 });
  });

  it("finds a projector with a fault, and no query is answered by it", async () => {
    const embedded = await trackerOf("a", "b");
    const ports = { log: embedded.log, meta: embedded.meta, projections: withFault(embedded.projections) };
    await rebuildProjection(ports, PATIENT, { isTrial: true });
    expect(await readLivePointer(embedded.meta)).toMatchObject({ live: "A", building: "B" });
    const { different } = await compareProjections(embedded);
    const byName = different.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(byName.map(({ name, problem, fields }) => ({ name, problem, fields }))).toEqual(
      ["a", "b"].map((name) => ({
        name,
        problem: "answer",
        fields: [{ path: "verdict.state", live: '"Failed"', other: '"Complete"' }],
      })),
    );
  });

  it("finds no difference in who is responsible: a sweep adds what Nodes and audit logs show", async () => {
    const embedded = await trackerOf("a");
    const { log, meta, projections } = embedded;
    const other: ClearableProjections = {
      open: (name) => swept(projections.open(name)),
      runs: (name) => projections.runs(name),
      clear: (name) => projections.clear(name),
    };
    await rebuildProjection({ log, meta, projections: other }, PATIENT, { isTrial: true });
    expect((await compareProjections(embedded)).different).toEqual([]);
  });

  it("names Jobs that only one projection has", async () => {
    const embedded = await trackerOf("a");
    await embedded.replay({ isTrial: true });
    const { meta } = embedded;
    const pointer = await readLivePointer(meta);
    await meta.write("live", LIVE_KEY, { value: '{"live":"A"}', expected: pointer.version });
    await tell(embedded, failed("b").facts);
    await meta.write("live", LIVE_KEY, { value: '{"live":"A","building":"B"}', expected: pointer.version + 1 });
    expect(await compareProjections(embedded)).toMatchObject({
      jobs: 2,
      different: [{ name: "b", problem: "missing" }],
    });
    await meta.write("live", LIVE_KEY, { value: '{"live":"B","building":"A"}', expected: pointer.version + 2 });
    expect(await compareProjections(embedded)).toMatchObject({
      jobs: 1,
      different: [{ name: "b", problem: "additional" }],
    });
  });

  it("finds stored facts that differ below the same answer", async () => {
    const embedded = await trackerOf("a");
    await embedded.replay({ isTrial: true });
    const [row] = (
      await embedded.projections.open("B").list({ cluster: clusterNamed("east"), namespace: "default" }, { limit: 1 })
    ).rows;
    if (row === undefined) throw new Error("There is no Job.");
    const key = { cluster: clusterNamed("east"), jobUid: row.jobUid };
    const stored = await embedded.projections.open("B").read(key);
    if (stored === undefined) throw new Error("There is no state.");
    const bytes = Uint8Array.from([...stored.bytes, 0]);
    await embedded.projections.open("B").write(key, { ...stored, bytes }, stored.version);
    expect((await compareProjections(embedded)).different).toMatchObject([{ name: "a", problem: "state", fields: [] }]);
  });

  it("needs a trial", async () => {
    await expect(compareProjections(await trackerOf("a"))).rejects.toThrow(NoTrialError);
  });
});
