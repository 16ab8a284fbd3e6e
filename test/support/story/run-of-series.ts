import type { PastRun } from "../../../src/parents/series/past-run.ts";
import { Story } from "./story.ts";

/** Past runs of a series that took 1, 2 ... minutes. */
export function pastRuns(count: number, template = "1/1"): readonly PastRun[] {
  return Array.from({ length: count }, (_, at) => {
    const millis = (at + 1) * 60_000;
    return { uid: `past-${template}-${at}`, createdAt: 0, endedAt: millis, millis, template };
  });
}

/** A Job that has run for two minutes. */
export function running(spec: Parameters<Story["jobCreated"]>[0] = {}): Story {
  const story = new Story();
  story.jobCreated(spec);
  story.jobReported({ startTime: story.now, active: 1 });
  story.after(120);
  return story;
}
