import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { Verdict } from "../../../src/job/status/job-verdict.ts";
import { settledBy, type WaitGoal, waitFor, pollJob } from "../../../src/query/job/wait-for-job.ts";
import { listedJob } from "../../support/story/listed-job.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { countedStore } from "../../support/stores/counted-store.ts";
import { SmallTracker } from "../../support/stores/small-tracker.ts";
import { Story } from "../../support/story/story.ts";

const job = (state: Verdict["state"], final = false): JobAnswer =>
  listedJob({ verdict: { state, final, basis: "both" } });

/** Reads the states one after the other. The time is over after the last one. */
async function waitThrough(goal: WaitGoal, states: readonly (JobAnswer | undefined)[]) {
  let reads = 0;
  const outcome = await waitFor(goal, {
    read: async () => states[reads++],
    pause: async () => reads < states.length,
  });
  return { outcome: outcome.outcome, reads };
}

describe("a wait for a Job", () => {
  it.each<[WaitGoal, readonly (JobAnswer | undefined)[], string, number]>([
    ["complete", [job("Complete", true)], "met", 1],
    ["complete", [job("Pending"), job("Running"), job("Complete", true)], "met", 3],
    ["complete", [undefined, job("Complete", true)], "met", 2],
    ["complete", [job("Failed", true)], "endedOtherwise", 1],
    ["failed", [job("Failed", true)], "met", 1],
    ["failed", [job("Complete", true)], "endedOtherwise", 1],
    ["finished", [job("Failed", true)], "met", 1],
    ["finished", [job("Complete", true)], "met", 1],
    ["finished", [job("Deleted")], "endedOtherwise", 1],
    ["complete", [job("Complete"), job("Complete", true)], "met", 2],
    ["failed", [job("Failed"), job("Complete", true)], "endedOtherwise", 2],
    ["complete", [job("Suspended"), job("Complete", true)], "met", 2],
    ["complete", [job("Running"), job("Unknown")], "timedOut", 2],
    ["complete", [undefined, undefined], "timedOut", 2],
  ])("for the goal %s ends as the table says", async (goal, states, outcome, reads) => {
    expect(await waitThrough(goal, states)).toEqual({ outcome, reads });
  });
});

describe("the Job of a last look", () => {
  it.each<[WaitGoal, JobAnswer, string | undefined]>([
    ["complete", job("Complete", true), "met"],
    ["failed", job("Complete", true), "endedOtherwise"],
    ["finished", job("Deleted"), "endedOtherwise"],
    ["finished", job("Complete"), undefined],
    ["finished", job("Running"), undefined],
  ])("settles the goal %s as the table says", (goal, last, outcome) => {
    expect(settledBy(goal, last)).toBe(outcome);
  });
});

const NOW = Date.parse("2026-01-01T00:10:00Z");
const BEGIN = Date.parse("2026-01-01T00:00:00Z");
const wanted = { cluster: clusterNamed("east"), namespace: "default", name: "report" };

/** A poll, and the requests that it makes. */
function openPoll() {
  const tracker = new SmallTracker();
  const { jobs, meta, log } = tracker.ports;
  const requests: string[] = [];
  const ports = { jobs: countedStore(jobs, requests), meta: countedStore(meta, requests), log };
  const poll = pollJob({ ports: async () => ports, clock: () => NOW }, { scope: "everything", wanted });
  return { tracker, requests, poll };
}

describe("a poll of a Job", () => {
  it("looks up the name only while the Job is unknown", async () => {
    const { poll, requests } = openPoll();
    expect(await poll()).toBeUndefined();
    expect(await poll()).toBeUndefined();
    expect(requests).toEqual(["listByName", "listByName"]);
  });

  it("derives the answer again only after the state has changed", async () => {
    const { tracker, poll, requests } = openPoll();
    const story = new Story("report");
    story.jobCreated();
    await tracker.tell(story.facts, BEGIN);
    const first = await poll();
    expect(first?.verdict.state).toBe("Pending");
    requests.length = 0;
    expect(await poll()).toBe(first);
    expect(requests).toEqual(["listByName"]);
    story.jobFinished("Complete");
    await tracker.tell(story.facts, BEGIN + 1_000);
    expect((await poll())?.verdict.state).toBe("Complete");
  });

  it("follows the newest Job of the name", async () => {
    const { tracker, poll } = openPoll();
    for (const [minute, name] of ["first", "second"].entries()) {
      const story = new Story(name, `2026-01-01T00:0${minute}:00Z`);
      story.jobCreated({}, { name: "report" });
      await tracker.tell(story.facts, BEGIN + minute * 60_000);
      expect(await poll()).toMatchObject({ uid: story.jobUid });
    }
  });
});
