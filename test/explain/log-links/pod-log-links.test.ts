import { describe, expect, it } from "vitest";
import { type ClusterLogs, logLinksOf } from "../../../src/explain/log-links/pod-log-links.ts";
import { loggedStory, logsOf } from "../../support/story/logged-story.ts";
import type { Story } from "../../support/story/story.ts";

function linksIn(story: Story, logs: ClusterLogs) {
  const { record, clusterContext } = story;
  return [...record.pods.values()].map((pod) => logLinksOf(pod, { job: record.job, clusterContext, logs }));
}

describe("the log links of a Pod", () => {
  it("name the Pod and its Job, and cover the time from a minute before it to a minute after it", () => {
    const story = loggedStory((of) => of.podSucceeds("a", 90, { tracked: true }));
    const [links] = linksIn(story, logsOf("https://a.example/{namespace}/{job}/{pod}?{from}-{to}"));
    expect(links).toEqual([
      {
        name: "Place 0",
        url: "https://a.example/default/report/report-a?2025-12-31T23%3A59%3A00Z-2026-01-01T00%3A02%3A30Z",
      },
    ]);
  });

  it("are one per container if the template names the container", () => {
    const story = loggedStory((of) => of.podSucceeds("a", 90, { tracked: true }));
    const [links] = linksIn(story, logsOf("https://a.example/{pod}/{container}", "https://b.example/{pod}"));
    const [pod] = story.record.pods.values();
    expect(links?.map(({ name, container }) => [name, container])).toEqual([
      ...(pod?.created?.containers ?? []).map((container) => ["Place 0", container]),
      ["Place 1", undefined],
    ]);
  });

  it("are absent for a Pod that never ran", () => {
    const story = loggedStory((of) => of.podCreated("a"));
    expect(linksIn(story, logsOf("https://a.example/{pod}"))).toEqual([[]]);
  });

  it("of a running Pod end with the last data from its cluster", () => {
    const story = loggedStory((of) => {
      of.podCreated("a");
      of.podStarted("a");
      of.after(3_600);
    });
    const { record, now } = story;
    const [pod] = record.pods.values();
    if (pod === undefined) throw new Error("There is a Pod.");
    const context = {
      job: record.job,
      clusterContext: { heardAt: now },
      logs: logsOf("https://a.example/?{toMillis}"),
    };
    expect(logLinksOf(pod, context).map(({ url }) => url)).toEqual([`https://a.example/?${now + 60_000}`]);
  });
});
