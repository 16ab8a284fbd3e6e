import { afterEach, describe, expect, it } from "vitest";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import { startReplay } from "../../../src/upkeep/replay/rebuild-projection.ts";
import { compareProjections } from "../../../src/upkeep/replay/compare-projections.ts";
import { endTrial, switchProjection } from "../../../src/upkeep/replay/switch-projection.ts";
import { MeteredTrackers, tell } from "../../support/stores/metered-tracker.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { PATIENT } from "../../support/stores/two-projections.ts";
import { Story } from "../../support/story/story.ts";
import { continueReplay } from "../../support/killed/continue-replay.ts";

const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

function created(name: string): Story {
  const story = new Story(name);
  story.jobCreated({ backoffLimit: 0 });
  return story;
}

describe("a switch", () => {
  it("lets the other projection answer, goes back, and loses nothing that arrives between", async () => {
    const embedded = trackers.open();
    await tell(embedded, created("a").facts);
    await embedded.replay({ isTrial: true });
    expect(await embedded.switchProjection()).toEqual({ outcome: "switched", live: "B" });
    await tell(embedded, created("b").facts);
    expect(await compareProjections(embedded)).toMatchObject({ jobs: 2, different: [] });
    expect(await embedded.switchProjection()).toEqual({ outcome: "switched", live: "A" });
    expect(await compareProjections(embedded)).toMatchObject({ jobs: 2, different: [] });
  });

  it("keeps the projectors of the trial as they are", async () => {
    const { meta, projections } = trackers.open();
    const kept = { projection: "A", project: "12", refold: "9" } as const;
    await startReplay(meta, { isTrial: true, kept });
    expect(await readLivePointer(meta)).toMatchObject({ live: "A", kept });
    await continueReplay({ log: new MemoryLog(), meta, projections }, { retry: PATIENT });
    expect(await readLivePointer(meta)).toMatchObject({ live: "A", building: "B", kept });
    await switchProjection(meta, 0);
    expect(await readLivePointer(meta)).toMatchObject({ live: "B", building: "A", kept });
    expect(await startReplay(meta, { isTrial: true, kept: { project: "12", refold: "9" } })).toBe("tried");
    expect(await startReplay(meta, { isTrial: true, kept: { project: "14", refold: "9" } })).toBe("started");
    expect(await readLivePointer(meta)).toMatchObject({ live: "B", kept: { projection: "B", project: "14" } });
  });

  it("needs a second projection that is complete", async () => {
    const embedded = trackers.open();
    await tell(embedded, created("a").facts);
    expect(await switchProjection(embedded.meta, 0)).toEqual({ outcome: "alone", live: "A" });
    expect(await endTrial(embedded)).toEqual({ outcome: "alone", live: "A" });
    await startReplay(embedded.meta, { isTrial: true });
    expect(await switchProjection(embedded.meta, 0)).toEqual({ outcome: "alone", live: "A" });
  });

  it("is refused while a replay fills the second projection", async () => {
    const embedded = trackers.open();
    await tell(embedded, created("a").facts);
    let during: unknown;
    await embedded.replay({
      isTrial: true,
      onProgress: () => {
        during ??= switchProjection(embedded.meta, 0);
      },
    });
    expect(await during).toEqual({ outcome: "building", live: "A" });
  });

  it.each([
    ["the kept projector", 0, { live: "A" }],
    ["the projector of the trial", 1, { live: "B", kept: { projection: "A", project: "12", refold: "9" } }],
  ])("is not possible after the end of a trial, when %s goes on", async (_, switches, pointer) => {
    const { meta, projections } = trackers.open();
    await startReplay(meta, { isTrial: true, kept: { project: "12", refold: "9" } });
    await continueReplay({ log: new MemoryLog(), meta, projections }, { retry: PATIENT });
    for (let count = 0; count < switches; count += 1) await switchProjection(meta, 0);
    expect(await endTrial({ meta, projections })).toMatchObject({ outcome: "ended" });
    const { version: _version, switchedAt: _switchedAt, ...stored } = await readLivePointer(meta);
    expect(stored).toEqual(pointer);
    expect(await switchProjection(meta, 0)).toMatchObject({ outcome: "alone" });
  });

  it("is not possible after the trial has ended, and a replay ends a trial", async () => {
    const embedded = trackers.open();
    await tell(embedded, created("a").facts);
    await embedded.replay({ isTrial: true });
    expect(await endTrial(embedded)).toEqual({ outcome: "ended", live: "A" });
    expect(await embedded.switchProjection()).toEqual({ outcome: "alone", live: "A" });
    await embedded.replay({ isTrial: true });
    expect(await embedded.replay()).toMatchObject({ outcome: "switched", live: "B" });
    expect(await readLivePointer(embedded.meta)).toMatchObject({ live: "B" });
    expect((await readLivePointer(embedded.meta)).building).toBeUndefined();
  });
});

describe("the end of a trial", () => {
  it("is refused while Jobs differ, names them, and can be forced for a reason that is recorded", async () => {
    const embedded = trackers.open();
    await tell(embedded, created("a").facts);
    await tell(embedded, created("b").facts);
    await embedded.replay({ isTrial: true });
    const { meta, projections } = embedded;
    await projections.clear("B");
    const refused = await endTrial(embedded);
    expect(refused).toMatchObject({ outcome: "different", compared: { jobs: 2 } });
    const names = refused.outcome === "different" ? refused.compared.different.map(({ name }) => name) : [];
    expect(names.toSorted()).toEqual(["a", "b"]);
    expect(await readLivePointer(meta)).toMatchObject({ live: "A", building: "B" });
    expect(await endTrial({ meta, projections, despite: "B is empty" })).toEqual({ outcome: "ended", live: "A" });
    expect(await readLivePointer(meta)).toMatchObject({ live: "A", endedDespite: "B is empty" });
  });

  it("changes nothing if another process switches during the comparison", async () => {
    const embedded = trackers.open();
    await tell(embedded, created("a").facts);
    await embedded.replay({ isTrial: true });
    let switching: Promise<unknown> | undefined;
    const ended = await endTrial({
      meta: embedded.meta,
      projections: embedded.projections,
      onProgress: () => {
        switching ??= switchProjection(embedded.meta, 0);
      },
    });
    expect(await switching).toEqual({ outcome: "switched", live: "B" });
    expect(ended).toEqual({ outcome: "conflict" });
    expect(await readLivePointer(embedded.meta)).toMatchObject({ live: "B", building: "A" });
  });
});
