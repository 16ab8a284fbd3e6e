import type { Fact } from "../../../src/job/model/fact.ts";
import { Story } from "../story/story.ts";

/** A Job that fails: what each of its three events reports. */
export function failingJob(name = "charge", beganAt?: string): readonly (readonly Fact[])[] {
  const story = new Story(name, beganAt);
  const events: (readonly Fact[])[] = [];
  const event = (tell: () => void): void => {
    const before = story.facts.length;
    tell();
    events.push(story.facts.slice(before));
  };
  event(() => {
    story.jobCreated({ backoffLimit: 0 });
    story.jobTracked();
    story.jobReported({ startTime: story.now, active: 1 });
  });
  event(() => story.podFails("p1", 7, 30));
  event(() => story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1 }));
  return events;
}
