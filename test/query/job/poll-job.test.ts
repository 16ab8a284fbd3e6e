import { describe, expect, it } from "vitest";
import { pollJob } from "../../../src/query/job/poll-job.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { countedStore } from "../../support/stores/counted-store.ts";
import { SmallTracker } from "../../support/stores/small-tracker.ts";
import { Story } from "../../support/story/story.ts";

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
