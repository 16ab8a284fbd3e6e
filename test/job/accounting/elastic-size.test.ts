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
    ["keeps what succeeded", [3], "0,2", 2],
    ["drops what falls out of range when it shrinks", [3, 2], "0", 1],
    ["does not get it back when it grows again", [3, 2, 3], "0", 1],
    ["forgets it also when it grows beyond its first size", [3, 1, 5], "0", 1],
    ["keeps what stayed in range all the time", [5, 3, 4], "0,2", 2],
    ["keeps everything when it only grows", [3, 5], "0,2", 2],
    ["has nothing left after it was cut to nothing", [3, 0, 3], undefined, undefined],
  ] as const)("%s", (_, sizes, completedIndexes, succeeded) => {
    const { status } = statusOfStory(sized(...sizes));
    expect(status.completedIndexes).toBe(completedIndexes);
    expect(status.succeeded).toBe(succeeded);
  });

  it("counts an index again that runs again", () => {
    const story = sized(3, 2, 3);
    story.podSucceeds("again", 5, { index: 2, tracked: true });
    expect(statusOfStory(story).status.completedIndexes).toBe("0,2");
  });

  it("keeps a failure that fell out of range, and not its index", () => {
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

  it("follows what is reported of a stretch that was cut off", () => {
    const story = sized(3, 2, 3);
    story.jobReported({ completedIndexes: "0,2", succeeded: 2 });
    expect(statusOfStory(story).status.completedIndexes).toBe("0,2");
  });
});
