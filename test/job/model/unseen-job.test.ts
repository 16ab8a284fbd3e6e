import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { answerRecord } from "../../../src/explain/present-job.ts";
import { emptyJob, joinFacts } from "../../../src/job/model/job-record.ts";
import { answerOfStory } from "../../support/story/derive-story.ts";
import { Story } from "../../support/story/story.ts";

const LONG = "a-job-whose-name-is-long-and-goes-on-until-it-has-to-be-cut";

/** The answer about a Job of which only a Pod was observed. */
function answerFor(name: string, index?: number): JobAnswer {
  const story = new Story();
  story.podCreated("a", { name, namespace: "night", ...(index !== undefined && { index }) });
  return answerOfStory(story);
}

function reasonsOf({ completeness }: JobAnswer): readonly string[] {
  return completeness.gaps.map(({ reason }) => reason);
}

describe("a Job that was never observed", () => {
  it.each<readonly [string, string, number | undefined, string]>([
    ["a Pod", "report-2vxzf", undefined, "report"],
    ["a Pod with an index", "report-7-2vxzf", 7, "report"],
    ["a Pod with an index that its name does not contain", "report-2vxzf", 7, "report"],
    ["a Pod whose Job's name ends in a number", "report-7-2vxzf", undefined, "report-7"],
    ["a Pod with an index with which the Job's name ends too", "report-7-7-2vxzf", 7, "report-7"],
    ["a Pod with a truncated Job name", `${LONG.slice(0, 58)}2vxzf`, undefined, LONG.slice(0, 58)],
    ["a Pod with an index and a truncated Job name", `${LONG.slice(0, 53)}-123-2vxzf`, 123, LONG.slice(0, 53)],
    ["no name from a Pod without a generated name", "by-hand", undefined, ""],
    ["no name from a Pod with a suffix that is not generated", "report-aeiou", undefined, ""],
    ["no name from a short Pod name without a dash", "report2vxzf", undefined, ""],
    ["no name from a Pod name that is only a suffix", "2vxzf", undefined, ""],
  ])("has its namespace and name from %s", (_, pod, index, name) => {
    expect(answerFor(pod, index)).toMatchObject({ namespace: "night", name });
  });

  it("says that it was never observed, and which Pod its name comes from", () => {
    const answer = answerFor("report-2vxzf");
    expect(answer.completeness.level).toBe("gaps");
    expect(reasonsOf(answer)).toEqual([
      "The Job object was never observed.",
      "The Job's name is taken from its Pod report-2vxzf.",
    ]);
  });

  it("says that its name may be longer if the Pod name has the maximum length", () => {
    expect(reasonsOf(answerFor(`${LONG.slice(0, 58)}2vxzf`)).at(-1)).toMatch(/maximum length.*may be longer/);
  });

  it("existed when its first Pod was created, in any order of the facts", () => {
    const story = new Story();
    story.after(60);
    story.podCreated("b", { name: "adopted-9vxzf", createdAt: story.second(60) });
    story.podCreated("a", { name: "report-2vxzf", createdAt: story.second(5) });
    story.podCreated("c", { name: "by-hand", createdAt: story.second(1) });
    const now = story.now;
    for (const facts of [story.facts, story.facts.toReversed()]) {
      const record = joinFacts(emptyJob(story.jobUid), facts);
      expect(answerRecord(record, { cluster: "test", clusterContext: story.clusterContext, now })).toMatchObject({
        name: "report",
        createdAt: "2026-01-01T00:00:01Z",
      });
    }
  });

  it("has its own name after it was observed", () => {
    const story = new Story();
    story.podCreated("a", { name: "other-2vxzf" });
    story.jobCreated();
    expect(answerOfStory(story).name).toBe("render");
    expect(reasonsOf(answerOfStory(story)).join()).not.toContain("read off");
  });
});

describe("a Job of which only Pods were observed", () => {
  it("has the name of the Pod with the first uid, where two were created at once", () => {
    for (const pods of [
      ["a", "b"],
      ["b", "a"],
    ]) {
      const story = new Story();
      for (const pod of pods) story.podCreated(pod, { name: `of-${pod}-2vxzf` });
      expect(answerOfStory(story).name).toBe("of-a");
    }
  });

  it("is not called truncated where its Pod's name is one character shorter than the longest", () => {
    const reasons = reasonsOf(answerFor(`${LONG.slice(0, 56)}-2vxzf`));
    expect(reasons.join()).not.toContain("may be longer");
  });
});
