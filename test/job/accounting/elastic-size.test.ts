import { describe, expect, it } from "vitest";
import { statusOfStory } from "../../support/story/derive-story.ts";
import { Story } from "../../support/story/story.ts";

const indexed = { completionMode: "Indexed", podReplacementPolicy: "TerminatingOrFailed" } as const;

function sized(...sizes: readonly number[]): Story {
  const story = new Story();
  const [first = 0, ...later] = sizes;
  story.jobCreated({ ...indexed, completions: first, parallelism: first });
  for (const index of [0, 2]) {
    story.podSucceeds(`p${index}`, 5, { index, tracked: true });
    story.podUntracked(`p${index}`);
  }
  for (const [at, size] of later.entries()) {
    story.jobSpecified({ completions: size, parallelism: size }, at + 2);
    story.jobReported({});
  }
  return story;
}

describe("an elastic Indexed Job", () => {
  it.each([
    ["keeps its completed indexes", [3], "0,2", 2],
    ["drops indexes that are out of range after it is scaled down", [3, 2], "0", 1],
    ["does not regain a dropped index when it is scaled up again", [3, 2, 3], "0", 1],
    ["does not regain it when it is scaled up beyond its first size", [3, 1, 5], "0", 1],
    ["keeps indexes that were always in range", [5, 3, 4], "0,2", 2],
    ["keeps all indexes when it is only scaled up", [3, 5], "0,2", 2],
    ["has no completed index after it was scaled down to 0", [3, 0, 3], undefined, undefined],
  ] as const)("%s", (_, sizes, completedIndexes, succeeded) => {
    const { status } = statusOfStory(sized(...sizes));
    expect(status.completedIndexes).toBe(completedIndexes);
    expect(status.succeeded).toBe(succeeded);
  });

  it("counts an index again after it runs again", () => {
    const story = sized(3, 2, 3);
    story.podSucceeds("again", 5, { index: 2, tracked: true });
    expect(statusOfStory(story).status.completedIndexes).toBe("0,2");
  });

  it("keeps a failure whose index is out of range, but not the index", () => {
    const story = new Story();
    story.jobCreated({ ...indexed, completions: 3, parallelism: 3, backoffLimitPerIndex: 0 });
    story.podCreated("a", { index: 2 });
    story.podTracked("a");
    story.podTerminated("a", "Failed", { tracked: true });
    expect(statusOfStory(story).status).toMatchObject({ failed: 1, failedIndexes: "2" });
    story.jobSpecified({ completions: 1, parallelism: 1 }, 2);
    story.jobReported({});
    expect(statusOfStory(story).status).toMatchObject({ failed: 1, failedIndexes: "" });
  });

  it("has the reported indexes of a range that it lost", () => {
    const story = sized(3, 2, 3);
    story.jobReported({ completedIndexes: "0,2", succeeded: 2 });
    expect(statusOfStory(story).status.completedIndexes).toBe("0,2");
  });
});
