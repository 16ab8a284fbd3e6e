import { describe, expect, it } from "vitest";
import { isJobFact } from "../../../src/job/model/fact.ts";
import type { JobChange } from "../../../src/explain/answer-document.ts";
import { changeSince } from "../../../src/projection/changes/announced-change.ts";
import { deriveRow } from "../../../src/projection/job-state/derive-row.ts";
import { emptyJobState, type JobState } from "../../../src/projection/job-state/job-state.ts";
import { joinJobState } from "../../../src/projection/job-state/join-job-state.ts";
import { throwAwayPages } from "../../../src/upkeep/replay/fresh-fold.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { Story } from "../../support/story/story.ts";

const east = clusterNamed("east");

/** The state after all facts of the story. */
async function stateOf(story: Story): Promise<JobState> {
  const facts = story.facts.filter(isJobFact);
  const [first] = facts;
  if (first === undefined) throw new Error("The story has no facts.");
  const joined = await joinJobState(emptyJobState(first.jobUid), { facts, segments: [] }, throwAwayPages());
  if (joined === undefined) throw new Error("The facts change nothing.");
  return joined.state;
}

function changeBetween(before: JobState, after: JobState): JobChange | undefined {
  const derived = deriveRow(east, after);
  return derived && changeSince(before, { cluster: east, listed: derived.listed, seenAt: after.seenAt });
}

describe("the change between two states of a Job", () => {
  it("has no previous state for a new Job", async () => {
    const story = new Story("render");
    story.jobCreated();
    const state = await stateOf(story);
    const change = changeBetween(emptyJobState(story.jobUid), state);
    expect(change).toMatchObject({ job: { name: "render", cluster: "east", verdict: { state: "Pending" } } });
    expect(change).not.toHaveProperty("previous");
  });

  it("has the previous state where the verdict changes", async () => {
    const story = new Story("render");
    story.jobCreated();
    const before = await stateOf(story);
    story.podCreated("a");
    story.podStarted("a");
    expect(changeBetween(before, await stateOf(story))).toMatchObject({
      previous: "Pending",
      job: { verdict: { state: "Running" } },
    });
  });

  it("is none where the status stays the same, or the name of the Job is unknown", async () => {
    const story = new Story("render");
    story.jobCreated();
    const before = await stateOf(story);
    expect(changeBetween(before, before)).toBeUndefined();
    expect(changeBetween(emptyJobState(story.jobUid), emptyJobState(story.jobUid))).toBeUndefined();
  });
});
