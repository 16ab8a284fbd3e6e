import type { PhantomRunning, PhantomRunningShows } from "../../../src/explain/findings/phantom-running.ts";
import { answerOf, findingOf, kindsOf } from "../../support/story/answer-of-story.ts";
import { AT, evidenceOf, explained, POD } from "../../support/story/explained.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { describe, expect, it } from "vitest";

/** A Pod that stays Running although its container has ended. */
function phantom(tell: (story: Story) => void = () => undefined): Story {
  const story = tracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  story.containerEnded("a", 0, 10);
  story.podObserved("a", { running: [] });
  tell(story);
  return story;
}

describe("a phantom-running Pod", () => {
  it("has ended containers and the phase Running, for a while", () => {
    const story = phantom();
    expect(kindsOf(story, story.now)).not.toContain("PhantomRunning");
    const found = findingOf(story, "PhantomRunning", story.now + 300_000);
    expect(found?.message).toMatch(/^1 Pod is phantom-running: all containers have ended/);
    expect(found?.evidence.map(({ detail }) => detail)).toContain("container work had ended with exit code 0");
  });

  it.each<[string, (story: Story) => void]>([
    ["where the Pod has ended", (s) => s.podTerminated("a", "Succeeded", { tracked: true })],
    ["where the Pod is gone", (s) => s.podDeleted("a", true)],
    ["where a container was started again", (s) => s.podObserved("a", { running: ["work"], restarts: 1 })],
  ])("is none %s", (_, tell) => {
    const story = phantom(tell);
    expect(kindsOf(story, story.now + 300_000)).not.toContain("PhantomRunning");
  });

  it.each([
    [600_000, ["PhantomRunning"]],
    [undefined, []],
  ])("may be a Pod without a change, if the threshold is %s", (phantomAfter, kinds) => {
    const story = tracked();
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    const now = story.now + 1_800_000;
    const answer = answerOf(story, { now, ...(phantomAfter !== undefined && { phantomAfter }) });
    expect(answer.findings.map(({ kind }) => kind)).toEqual(kinds);
    const evidence = answer.findings.flatMap((finding) => finding.evidence.map(({ detail }) => detail));
    expect(evidence).toEqual(kinds.map(() => "was last seen in phase Running, with its containers running"));
  });
});

describe("a phantom-running Pod in words", () => {
  it.each<[PhantomRunning, string]>([
    [
      { kind: "PhantomRunning", proof: "containersEnded", podCount: 1, pods: [{ ...POD, since: AT }], evidence: [] },
      "1 Pod is phantom-running: all containers have ended, the phase is still Running " +
        "(render-a on node-a since 2026-01-01T00:00:00Z); what Kubernetes will make of it is unknown, not failed.",
    ],
    [
      { kind: "PhantomRunning", proof: "none", afterMillis: 600_000, podCount: 2, pods: [POD], evidence: [] },
      "No change for 10 min or more of 2 Pods that run (render-a on node-a and 1 more): " +
        "phantom-running, or a program that takes long; no fact shows which.",
    ],
  ])("%#", (finding, message) => {
    expect(explained(finding).message).toBe(message);
  });

  it.each<[PhantomRunningShows, string]>([
    [{ what: "containerEnded", container: "work", exitCode: 0 }, "container work had ended with exit code 0"],
    [{ what: "lastRunning", containersRun: true }, "was last seen in phase Running, with its containers running"],
    [{ what: "lastRunning", containersRun: false }, "was last seen in phase Running, with no container running"],
  ])("shows %o", (shows, detail) => {
    const evidence = [evidenceOf(shows)];
    const finding = { kind: "PhantomRunning", proof: "containersEnded", podCount: 1, evidence } as const;
    expect(explained(finding).details).toEqual([detail]);
  });
});
