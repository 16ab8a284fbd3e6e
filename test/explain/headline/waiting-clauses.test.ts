import { describe, expect, it } from "vitest";
import { waitingClauses } from "../../../src/explain/headline/waiting-clauses.ts";
import type { Clause } from "../../../src/explain/headline/clause.ts";
import { derivedOf } from "../../support/story/derived-of-story.ts";
import { eventAbout } from "../../support/story/event-about.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";

function clausesOf(story: Story): readonly Clause[] {
  return waitingClauses(derivedOf(story));
}

function running(spec: Parameters<Story["jobCreated"]>[0] = {}): Story {
  const story = tracked(spec);
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  return story;
}

describe("what a Job waits for", () => {
  it("has no time of its own where nothing runs, because the state has it", () => {
    const story = tracked();
    eventAbout(story, undefined, { reason: "FailedCreate", details: { about: "refusal", by: "quota" }, count: 3 });
    expect(clausesOf(story)).toEqual([
      {
        full: "FailedCreate: no Pod could be created, quota exceeded (3 times)",
        short: "FailedCreate: no Pod could be created, quota exceeded",
        brief: "FailedCreate: no Pod could be created, quota exceeded (3 times)",
      },
    ]);
  });

  it("counts the Pods that wait where others run, since when", () => {
    const story = running({ parallelism: 3, completions: 3 });
    eventAbout(story, undefined, { reason: "FailedCreate", details: { about: "refusal", by: "quota" } });
    const text =
      "2 Pods waiting since 2026-01-01T00:00:00Z: FailedCreate: further Pods could not be created, quota exceeded";
    expect(clausesOf(story)).toEqual([{ full: text, brief: text, necessary: true }]);
  });

  it.each<[string, (story: Story) => void, readonly string[]]>([
    ["a Pod that is still active", () => undefined, ["1 Pod still active"]],
    [
      "a Pod that is still terminating",
      (s) => s.podDeletionRequested("a", "Running", { graceSeconds: 30 }),
      ["1 Pod still terminating"],
    ],
    ["no Pod", (s) => (s.podUntracked("a"), s.podTerminated("a", "Failed"), s.podDeleted("a")), []],
  ])("is a suspension with %s", (_, tell, texts) => {
    const story = running();
    story.jobSpecified({ suspend: true }, 2);
    tell(story);
    expect(clausesOf(story).map(({ full }) => full)).toEqual(texts);
  });

  it("is a queue with a Pod that is still active", () => {
    const story = tracked({ suspend: true }, { labels: { "kueue.x-k8s.io/queue-name": "gold" } });
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    expect(clausesOf(story).map(({ full }) => full)).toEqual(["queued by Kueue in queue gold", "1 Pod still active"]);
  });

  it("leaves several causes of restarts to the clause of the cause", () => {
    const story = running({ restartPolicy: "OnFailure" });
    story.containerEnded("a", 137, 1, { reason: "OOMKilled" });
    story.after(5);
    story.containerEnded("a", 1, 1, { restartCount: 1 });
    const waiting = { container: "work", reason: "CrashLoopBackOff" };
    story.podObserved("a", { phase: "Running", restarts: 2, waiting });
    expect(clausesOf(story).map(({ full }) => full)).toEqual(["CrashLoopBackOff of container work after 2 restarts"]);
  });

  it("is nothing for a Job that runs", () => {
    expect(clausesOf(running())).toEqual([]);
  });
});
