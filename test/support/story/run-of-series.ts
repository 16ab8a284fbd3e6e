import { type PastRun, runIdOf, templateOf } from "../../../src/parents/series/past-run.ts";
import { Story } from "./story.ts";

/** Past runs of a series that took 1, 2 ... minutes. */
export function pastRuns(
  count: number,
  of: Parameters<typeof templateOf>[0] = { parallelism: 1, completions: 1 },
): readonly PastRun[] {
  const template = templateOf(of);
  return Array.from({ length: count }, (_, at) => {
    const millis = (at + 1) * 60_000;
    return { id: runIdOf(`past-${template}-${at}`), createdAt: 0, endedAt: millis, millis, template };
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
