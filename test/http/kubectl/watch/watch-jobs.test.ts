import { describe, expect, it } from "vitest";
import { watchJobs, watchPods, type WatchRange } from "../../../../src/http/kubectl/watch/watch-jobs.ts";
import type { Scope } from "../../../../src/query/access/scope.ts";
import { type LogPosition, positionAt } from "../../../../src/query/changes/log-position.ts";
import type { JobFilter } from "../../../../src/query/list/job-filter.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { newFactsOf } from "../../../support/http/watched-server.ts";
import { collect } from "../../../support/running/collect.ts";
import { SmallTracker } from "../../../support/stores/small-tracker.ts";
import { Story } from "../../../support/story/story.ts";

const cluster = clusterNamed("east");
const BEGIN = Date.parse("2026-01-01T00:00:00Z");
const MINUTE = 60_000;

/** A Job `report` whose facts arrive step by step, a minute apart, and a client that follows it. */
function openWatch(filter: JobFilter = {}, scope: Scope = "everything") {
  const tracker = new SmallTracker();
  const positions = new Map<typeof cluster, LogPosition>([[cluster, positionAt(BEGIN - MINUTE)]]);
  const story = new Story("report");
  const next = newFactsOf(story);
  let now = BEGIN;
  const range = (): WatchRange => ({ ports: tracker.ports, scope, cluster, now: now + 1_000, positions });
  return {
    step: async (happens: (story: Story) => void) => {
      now += MINUTE;
      happens(story);
      await tracker.tell(next(), now);
    },
    jobs: async () =>
      (await collect(watchJobs(range(), filter))).map(({ type, row }) => `${type} ${row.verdict.state}`),
    pods: async (isWanted: (name: string) => boolean = () => true) =>
      (await collect(watchPods(range(), ({ attempt }) => isWanted(attempt.name)))).map(
        ({ type, row }) => `${type} ${row.attempt.name} ${row.attempt.outcome}`,
      ),
  };
}

const creates = (story: Story): void => {
  story.jobCreated();
  story.jobTracked();
};
const starts = (story: Story): void => {
  story.podCreated("a");
  story.podStarted("a");
  story.jobReported({ active: 1, startTime: BEGIN });
};
const completes = (story: Story): void => {
  story.podTerminated("a", "Succeeded");
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
};

describe("a watch of Jobs", () => {
  it("returns each change once, and an object that is deleted as modified", async () => {
    const { step, jobs } = openWatch();
    await step(creates);
    expect(await jobs()).toEqual(["ADDED Pending"]);
    expect(await jobs()).toEqual([]);
    await step(starts);
    expect(await jobs()).toEqual(["MODIFIED Running"]);
    await step(completes);
    expect(await jobs()).toEqual(["MODIFIED Complete"]);
    await step((story) => story.jobDeleted());
    expect(await jobs()).toEqual(["MODIFIED Complete"]);
  });

  it("adds a Job when it begins to match the selector, and deletes it when it ceases to", async () => {
    const { step, jobs } = openWatch({ fields: [{ field: "state", equal: true, value: "Running" }] });
    await step(creates);
    expect(await jobs()).toEqual([]);
    await step(starts);
    expect(await jobs()).toEqual(["ADDED Running"]);
    await step(completes);
    expect(await jobs()).toEqual(["DELETED Complete"]);
  });

  it("returns nothing for facts that the Job does not show", async () => {
    const { step, jobs } = openWatch();
    await step(creates);
    await step(starts);
    await jobs();
    await step((story) => story.podObserved("a"));
    expect(await jobs()).toEqual([]);
  });

  it("returns nothing outside of the reader's scope", async () => {
    const { step, jobs } = openWatch({}, { grants: [{ cluster, namespaces: ["other"] }] });
    await step(creates);
    expect(await jobs()).toEqual([]);
  });

  it("of a Job with very many segments returns its current state, as if it were new", async () => {
    const { step, jobs } = openWatch();
    await step(creates);
    for (let number = 1; number <= 70; number += 1) await step((story) => story.jobReported({ active: number }));
    await jobs();
    await step(completes);
    expect(await jobs()).toEqual(["ADDED Complete"]);
  });
});

describe("a watch of Pods", () => {
  it("returns what became of each", async () => {
    const { step, pods } = openWatch();
    await step(creates);
    expect(await pods()).toEqual([]);
    await step(starts);
    expect(await pods()).toEqual(["ADDED report-a Active"]);
    await step(completes);
    expect(await pods()).toEqual(["MODIFIED report-a Succeeded"]);
  });

  it("returns the wanted ones", async () => {
    const { step, pods } = openWatch();
    await step(creates);
    await step(starts);
    expect(await pods((name) => name !== "report-a")).toEqual([]);
  });
});
