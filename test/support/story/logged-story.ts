import { parseLogLink } from "../../../src/explain/log-links/log-link-template.ts";
import type { ClusterLogs } from "../../../src/explain/log-links/pod-log-links.ts";
import { Story } from "./story.ts";

/** The logs of cluster `small`, at these addresses. */
export function logsOf(...urls: readonly string[]): ClusterLogs {
  const places = urls.map((url, index) => {
    const parsed = parseLogLink(url);
    if (parsed.outcome === "invalid") throw new Error(parsed.problem);
    return { name: `Place ${index}`, template: parsed.template };
  });
  return { cluster: "small", places };
}

/** A Job `report`, and what happens to it. */
export function loggedStory(happens: (story: Story) => void): Story {
  const story = new Story("report");
  story.jobCreated();
  story.jobTracked();
  happens(story);
  return story;
}
