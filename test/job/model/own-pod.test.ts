import { describe, expect, it } from "vitest";
import { emptyJob, joinFacts } from "../../../src/job/model/job-record.ts";
import { ownPods } from "../../../src/job/model/own-pod.ts";
import { answerRecord } from "../../../src/explain/present-job.ts";
import { answerOf } from "../../support/story/answer-of-story.ts";
import { Story } from "../../support/story/story.ts";

/** A Job in "default" that waits for its one success, and a Pod of another namespace that names it as its owner. */
function forged(): Story {
  const story = new Story();
  story.jobCreated();
  story.jobUntracked();
  story.jobReported({ active: 1, startTime: story.now });
  story.podSucceeds("forged", 5, { namespace: "elsewhere" });
  return story;
}

describe("a Pod of another namespace that names the Job as its owner", () => {
  it("is not counted and is no attempt", () => {
    const answer = answerOf(forged());
    expect(answer.pods).toMatchObject({ seen: 0, succeeded: 0 });
    expect(answer.attempts).toEqual([]);
    expect(answer.verdict).toMatchObject({ state: "Running", final: false });
  });

  it("is not counted in any order of the facts", () => {
    const story = forged();
    const answers = [story.facts, story.facts.toReversed()].map((facts) =>
      answerRecord(joinFacts(emptyJob(story.jobUid), facts), {
        cluster: "small",
        clusterContext: story.clusterContext,
        now: story.now,
        attempts: true,
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
  });

  it("is left out of the Job's Pods beside its own", () => {
    const story = forged();
    story.podSucceeds("own", 5);
    expect([...ownPods(story.record).values()].map(({ created }) => created?.name)).toEqual(["render-own"]);
  });

  it("does not affect the Job's own Pods", () => {
    const story = forged();
    story.podSucceeds("own", 5);
    expect(answerOf(story)).toMatchObject({ pods: { seen: 1, succeeded: 1 }, verdict: { state: "Complete" } });
  });

  it("counts as the Job's while the Job was not observed", () => {
    const story = new Story();
    story.podSucceeds("a", 5, { namespace: "elsewhere" });
    expect(answerOf(story).pods.seen).toBe(1);
  });
});
