import type { EventHinted } from "../../../src/job/model/fact.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import type { Story } from "./story.ts";

let numbered = 0;

/** An Event about the Job, or about a Pod of the story by its short name, at the present second. */
export function eventAbout(story: Story, pod: string | undefined, more: Partial<EventHinted>): void {
  numbered += 1;
  const { job } = story.record;
  const known = pod === undefined ? undefined : story.pod(pod);
  const target = {
    kind: pod === undefined ? ("Job" as const) : ("Pod" as const),
    namespace: "default",
    name: (pod === undefined ? job.created?.name : known?.created?.name) ?? "",
    uid: known?.uid ?? job.uid,
  };
  const resourceVersion = decodeResourceVersion(String(1_000_000 + numbered));
  if (resourceVersion === undefined) throw new Error("The resourceVersion of an Event is a number.");
  story.hinted({
    epoch: 0,
    resourceVersion,
    at: story.now,
    kind: "EventHinted",
    hintId: `event-${numbered}`,
    target,
    reason: "",
    count: 1,
    firstAt: story.now,
    lastAt: story.now,
    ...more,
  });
}
