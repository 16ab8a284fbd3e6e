import type { StatusBehind } from "../../../src/explain/findings/status-behind.ts";
import { answerOf, kindsOf } from "../../support/story/answer-of-story.ts";
import { evidenceOf, explained } from "../../support/story/explained.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { describe, expect, it } from "vitest";

function succeededUncounted(): Story {
  const story = tracked();
  story.podSucceeds("a", 2, { tracked: true });
  return story;
}

describe("a status that lags", () => {
  it.each([
    [119, []],
    [120, ["StatusBehind"]],
  ])("%s s after the Pod ended is found as %j", (seconds, kinds) => {
    const story = succeededUncounted();
    expect(kindsOf(story, story.now + seconds * 1000)).toEqual(kinds);
  });

  it.each([
    ["a Pod that ran until it was deleted, as a release does", 0, []],
    ["a Pod that had failed before it was deleted", -5, ["StatusBehind"]],
  ] as const)("is judged by the end of %s, where one event shows all", (_, finishedAfter, kinds) => {
    const story = tracked({ parallelism: 2, completions: 2 });
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.jobReported({ active: 1 });
    story.after(10);
    story.inOneEvent(() => {
      story.podUntracked("a");
      story.podDeletionRequested("a", "Failed", { graceSeconds: 30 });
      story.containerEnded("a", 143, 10, { finishedAt: story.now + finishedAfter * 1000 });
      story.podTerminated("a", "Failed");
    });
    expect(kindsOf(story, story.now + 300_000)).toEqual(kinds);
    expect(answerOf(story).attempts).toMatchObject([{ countedAs: kinds.length === 0 ? "void" : "failed" }]);
  });

  it("is none where the Pod is on the uncounted list", () => {
    const story = succeededUncounted();
    const { uid } = story.pod("a");
    story.jobReported({ active: 0, uncounted: { succeeded: [uid], failed: [] } });
    expect(kindsOf(story, story.now + 300_000)).toEqual([]);
  });
});

const reported = { active: 1, succeeded: 0, failed: 0 };

function behind(missing: StatusBehind["missing"]): StatusBehind {
  const evidence = [
    evidenceOf({ what: "ended", phase: "Succeeded" } as const),
    evidenceOf({ what: "ended", phase: "Failed" } as const),
    evidenceOf({ what: "reported", reported } as const),
  ];
  return { kind: "StatusBehind", reported, missing, evidence };
}

describe("a status that lags, in words", () => {
  it.each([
    [{ succeeded: 1, failed: 0 }, "there is 1 success more"],
    [{ succeeded: 0, failed: 2 }, "there are 2 failures more"],
    [{ succeeded: 1, failed: 1 }, "there are 1 success more and 1 failure more"],
  ])("%o", (missing, text) => {
    expect(explained(behind(missing)).message).toBe(
      `Kubernetes reports active 1, succeeded 0, failed 0; ${text} than it counts.`,
    );
  });

  it("shows the ends and the report", () => {
    expect(explained(behind({ succeeded: 1, failed: 1 })).details).toEqual([
      "succeeded",
      "failed",
      "was reported as active 1, succeeded 0, failed 0",
    ]);
  });
});
