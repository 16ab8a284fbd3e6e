import { afterEach, describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { MeteredTrackers, scrape, tell, total } from "../../support/stores/metered-tracker.ts";
import { Story } from "../../support/story/story.ts";

const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

/** A Job that failed. */
function failed(name: string, namespace = "default"): Story {
  const story = new Story(name);
  story.jobCreated({ backoffLimit: 0 }, { namespace });
  story.podFails("a", 1, 10);
  story.jobFinished("Failed", "BackoffLimitExceeded");
  return story;
}

describe("metrics of a tracker", () => {
  it("count a Job once, whatever is delivered twice, late or out of order", async () => {
    const embedded = trackers.open();
    const { facts } = failed("render");
    const reversed = facts.toReversed();
    for (const some of [facts.slice(0, 3), reversed, facts, facts.slice(2)]) {
      await tell(embedded, some);
      await scrape(embedded);
    }
    const shown = await scrape(embedded);
    expect(total(shown, "outlive_jobs_finished_total")).toBe(1);
    expect(total(shown, "outlive_attempts_total")).toBe(1);
    expect(total(shown, "outlive_jobs")).toBe(0);
  });

  it("are the same after a replay", async () => {
    const embedded = trackers.open();
    for (const name of ["a", "b", "c"]) await tell(embedded, failed(name).facts);
    await embedded.sweep({ now: Date.now(), freshMillis: 0 });
    const before = await scrape(embedded);
    expect(total(before, "outlive_jobs_finished_total", 'state="Failed"')).toBe(3);
    expect((await embedded.replay()).outcome).toBe("switched");
    expect(await scrape(embedded)).toEqual(before);
  });

  it("keep counting a Job that retention deleted, and do not count it again after a replay", async () => {
    const embedded = trackers.open();
    const story = failed("render");
    await tell(embedded, story.facts);
    await embedded.sweep({ now: story.now, freshMillis: 0 });
    const before = await scrape(embedded);
    const { jobs } = await embedded.forget({ days: 1, now: story.now + 2 * 86_400_000 });
    expect(jobs).toBe(1);
    expect(await scrape(embedded)).toEqual(before);
    await embedded.replay();
    expect(total(await scrape(embedded), "outlive_jobs_finished_total")).toBe(1);
  });

  it("show a reader the namespaces of its grants only", async () => {
    const embedded = trackers.open();
    await tell(embedded, failed("a", "shop").facts);
    await tell(embedded, failed("b", "bank").facts);
    await tell(embedded, failed("c", "shop").facts, "west");
    const scope: Scope = { grants: [{ cluster: "east", namespaces: ["shop"] }] };
    const shown = Object.keys(await scrape(embedded, scope));
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.every((series) => series.includes('cluster="east"'))).toBe(true);
    expect(shown.some((series) => series.includes("bank"))).toBe(false);
    expect(await scrape(embedded, { grants: [] })).toEqual({});
  });

  it("sum owners beyond the bound, so that the sum over all series is right", async () => {
    const embedded = trackers.open({ maxSeries: 20 });
    for (let n = 0; n < 40; n += 1) {
      const story = new Story(`job-${n}`);
      story.jobCreated({}, { owner: { kind: "Workflow", name: `etl-${n}`, uid: `uid-${n}` } });
      story.jobFinished("Complete");
      await tell(embedded, story.facts);
    }
    const shown = await scrape(embedded);
    expect(total(shown, "outlive_jobs_finished_total")).toBe(40);
    expect(Object.keys(shown).length).toBeLessThan(30);
    expect(total(shown, "outlive_jobs_finished_total", 'owner="other"')).toBeGreaterThan(10);
  });
});

describe("metrics of clusters", () => {
  it("have the length of all gaps, each once", async () => {
    const embedded = trackers.open();
    const stamp = { epoch: 0, resourceVersion: 1, at: 90_000 } as unknown as Pick<
      Fact,
      "epoch" | "resourceVersion" | "at"
    >;
    const gap = {
      ...stamp,
      kind: "GapRecorded",
      gapId: "g1",
      from: 10_000,
      to: 70_000,
      resources: [],
      reason: "x",
    } as const;
    await tell(embedded, [gap]);
    await scrape(embedded);
    await tell(embedded, [{ ...gap, gapId: "g2", from: 80_000, to: 90_000 }, gap]);
    const shown = await scrape(embedded);
    expect(shown['outlive_gap_seconds_total{cluster="east"}']).toBe(70);
  });
});
