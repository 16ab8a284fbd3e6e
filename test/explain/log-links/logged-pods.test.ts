import { describe, expect, it } from "vitest";
import { answerAndWhy } from "../../../src/explain/why-record.ts";
import { loggedStory, logsOf } from "../../support/story/logged-story.ts";
import type { Story } from "../../support/story/story.ts";

describe("the logs of an explanation", () => {
  const logs = logsOf("https://a.example/{pod}");
  const linked = (story: Story): readonly string[] => {
    const { record, clusterContext, now } = story;
    const { why } = answerAndWhy(record, { cluster: "small", clusterContext, now, logs });
    return (why.logs ?? []).map(({ pod, url }) => `${pod} ${url}`);
  };

  it("links to the logs of Pods that failed, rather than of those that succeeded", () => {
    const story = loggedStory((of) => {
      of.podSucceeds("good", 10, { tracked: true });
      of.podFails("bad", 1, 10);
    });
    const bad = [...story.record.pods.values()].find(({ failed }) => failed !== undefined);
    expect(linked(story)).toEqual([`${bad?.created?.name} https://a.example/${bad?.created?.name}`]);
  });

  it("links to the logs of at most three Pods", () => {
    const story = loggedStory((of) => {
      for (const pod of ["a", "b", "c", "d", "e"]) of.podSucceeds(pod, 10, { tracked: true });
    });
    expect(linked(story)).toHaveLength(3);
  });

  it("has no links without templates", () => {
    const { record, clusterContext, now } = loggedStory((of) => of.podSucceeds("a", 10, { tracked: true }));
    expect(answerAndWhy(record, { cluster: "small", clusterContext, now }).why).not.toHaveProperty("logs");
  });
});
