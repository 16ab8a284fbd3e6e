import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { type Instant, parseInstant } from "../../../src/job/model/instant.ts";
import { listChanges } from "../../../src/query/changes/changes.ts";
import { SETTLED_AFTER_MS } from "../../../src/segment/late.ts";
import type { JobFilter } from "../../../src/query/list/job-filter.ts";
import { SmallTracker } from "../../support/stores/small-tracker.ts";
import { Story } from "../../support/story/story.ts";

const BEGIN = parseInstant("2026-01-01T00:00:00Z") ?? 0;

/** A tracker that is told segments, and one who follows its changes. */
function openTracker() {
  const tracker = new SmallTracker();
  const { ports } = tracker;
  let cursor: string | undefined;
  return {
    ports,
    tell: tracker.tell.bind(tracker),
    changes: async (now: Instant, filter: JobFilter = {}, limit = 100) => {
      const page = await listChanges(ports, "everything", { filter, limit, now, cursor, since: BEGIN });
      if (page.outcome !== "listed") throw new Error(page.problem);
      cursor = page.nextCursor;
      return page.items.map(({ previous, job }) => `${job.name}: ${previous ?? "-"} > ${job.verdict.state}`);
    },
  };
}

/** What was told of a Job since the mark before. */
class Telling {
  readonly story: Story;
  #told = 0;
  constructor(name: string) {
    this.story = new Story(name);
  }
  next(): readonly Fact[] {
    const facts = this.story.facts.slice(this.#told);
    this.#told = this.story.facts.length;
    return facts;
  }
}

function created(name: string): Telling {
  const telling = new Telling(name);
  telling.story.jobCreated();
  telling.story.jobTracked();
  return telling;
}

describe("the changes of verdicts", () => {
  it("are listed once each, in order, without facts that change no verdict", async () => {
    const { tell, changes } = openTracker();
    const report = created("report");
    await tell(report.next(), BEGIN + 1_000);
    expect(await changes(BEGIN + 1_500)).toEqual(["report: - > Pending"]);
    report.story.podCreated("a");
    report.story.podStarted("a");
    report.story.jobReported({ active: 1, startTime: BEGIN });
    await tell(report.next(), BEGIN + 2_000);
    expect(await changes(BEGIN + 2_500)).toEqual(["report: Pending > Running"]);
    report.story.podObserved("a");
    await tell(report.next(), BEGIN + 3_000);
    expect(await changes(BEGIN + 3_500)).toEqual([]);
    report.story.jobFinished("Complete");
    await tell(report.next(), BEGIN + 4_000);
    report.story.jobDeleted();
    await tell(report.next(), BEGIN + 5_000);
    expect(await changes(BEGIN + 5_500)).toEqual(["report: Running > Complete", "report: Complete > Complete"]);
    expect(await changes(BEGIN + 60_000)).toEqual([]);
  });

  it("include facts that arrive an hour late, and those of a new cluster", async () => {
    const { tell, changes } = openTracker();
    const early = created("early");
    await tell(early.next(), BEGIN + 1_000);
    expect(await changes(BEGIN + 60_000)).toEqual(["early: - > Pending"]);
    early.story.jobFinished("Complete");
    const done = early.next();
    early.story.jobDeleted();
    await tell(early.next(), BEGIN + 61_000);
    expect(await changes(BEGIN + 62_000)).toEqual(["early: Pending > Deleted"]);
    await tell(done, BEGIN + 30_000, BEGIN + 3_600_000);
    await tell(created("foreign").next(), BEGIN + 3_600_000, BEGIN + 3_600_500, "west");
    expect(await changes(BEGIN + 3_601_000)).toEqual(["early: Deleted > Complete", "foreign: - > Pending"]);
    expect(await changes(BEGIN + 3_630_000)).toEqual([]);
  });

  it("are in pages that continue where the previous one ended", async () => {
    const { tell, changes } = openTracker();
    for (const n of [1, 2, 3]) await tell(created(`job-${n}`).next(), BEGIN + n * 1_000);
    expect(await changes(BEGIN + 90_000, {}, 2)).toEqual(["job-1: - > Pending", "job-2: - > Pending"]);
    expect(await changes(BEGIN + 90_000, {}, 2)).toEqual(["job-3: - > Pending"]);
  });

  it("include a cluster whose first segment was in flight at the last poll", async () => {
    const { tell, changes } = openTracker();
    await tell(created("report").next(), BEGIN + 1_000);
    expect(await changes(BEGIN + 30_000)).toEqual(["report: - > Pending"]);
    await tell(created("foreign").next(), BEGIN + 29_000, BEGIN + 30_500, "west");
    expect(await changes(BEGIN + 31_000)).toEqual(["foreign: - > Pending"]);
  });

  it("include a Job with a new finding only", async () => {
    const { tell, changes } = openTracker();
    const report = new Telling("report");
    report.story.jobCreated({ completions: 2, parallelism: 2 });
    report.story.jobTracked();
    report.story.jobReported({ active: 2, startTime: BEGIN });
    report.story.podSucceeds("a", 2, { tracked: true });
    await tell(report.next(), BEGIN + 1_000);
    expect(await changes(BEGIN + 1_500)).toEqual(["report: - > Running"]);
    report.story.podTerminated("a", "Failed", { tracked: true });
    await tell(report.next(), BEGIN + 2_000);
    expect(await changes(BEGIN + 2_500)).toEqual(["report: Running > Running"]);
  });

  it("include a Job whose reason changes after a late fact", async () => {
    const { tell, changes } = openTracker();
    const report = created("report");
    const before = report.next();
    report.story.jobFinished("Failed", "BackoffLimitExceeded");
    const first = report.next();
    report.story.jobFinished("Failed", "DeadlineExceeded");
    await tell([...before, ...report.next()], BEGIN + 1_000);
    expect(await changes(BEGIN + 1_500)).toEqual(["report: - > Failed"]);
    await tell(first, BEGIN + 2_000);
    expect(await changes(BEGIN + 2_500)).toEqual(["report: Failed > Failed"]);
  });

  it("are those that meet the filter and that the reader may see", async () => {
    const { ports, tell } = openTracker();
    const failed = created("failed");
    failed.story.jobFinished("Failed", "BackoffLimitExceeded");
    await tell(failed.next(), BEGIN + 1_000);
    await tell(created("pending").next(), BEGIN + 2_000);
    const ask = async (filter: JobFilter, scope: Parameters<typeof listChanges>[1] = "everything") => {
      const page = await listChanges(ports, scope, { filter, limit: 10, now: BEGIN + 90_000, since: BEGIN });
      return page.outcome === "listed" ? page.items.map(({ job }) => job.name) : page.problem;
    };
    expect(await ask({ states: ["Failed"] })).toEqual(["failed"]);
    expect(await ask({ name: "pending" })).toEqual(["pending"]);
    expect(await ask({}, { grants: [{ cluster: "east", namespaces: ["web"] }] })).toEqual([]);
    expect(await ask({}, { grants: [] })).toEqual([]);
  });

  describe("after 35 days", () => {
    const DAYS = 86_400_000;

    it("are refused to a cursor, because some of them may be deleted", async () => {
      const { ports, tell } = openTracker();
      const ask = (now: Instant, cursor?: string) =>
        listChanges(ports, "everything", { filter: {}, limit: 10, now, cursor });
      const first = await ask(BEGIN);
      if (first.outcome !== "listed") throw new Error(first.problem);
      await tell(created("report").next(), BEGIN + 1_000);
      const at = BEGIN - SETTLED_AFTER_MS;
      expect(await ask(at + 35 * DAYS, first.nextCursor)).toMatchObject({ outcome: "listed", items: [{}] });
      expect(await ask(at + 35 * DAYS + 1, first.nextCursor)).toEqual({
        outcome: "expiredCursor",
        problem:
          "The cursor is of 2025-12-31T23:59:45Z, and changes are kept for 35 days: some that followed it may be " +
          "deleted. Read the list of Jobs once, then continue without a cursor.",
      });
    });

    it("are not listed, even before they are deleted", async () => {
      const { tell, changes } = openTracker();
      await tell(created("report").next(), BEGIN + 1_000);
      await tell(created("later").next(), BEGIN + 5_000);
      expect(await changes(BEGIN + 3_000 + 35 * DAYS)).toEqual(["later: - > Pending"]);
    });
  });

  it("refuse a cursor of another list", async () => {
    const { ports } = openTracker();
    const forged = Buffer.from(JSON.stringify([1, "x"])).toString("base64url");
    const page = await listChanges(ports, "everything", { filter: {}, limit: 1, now: BEGIN, cursor: forged });
    expect(page).toMatchObject({ outcome: "badCursor" });
  });
});
