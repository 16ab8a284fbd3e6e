import { Story } from "./story.ts";

/** A tracked Job that has begun. */
export function tracked(...created: Parameters<Story["jobCreated"]>): Story {
  const story = new Story();
  story.jobCreated(...created);
  story.jobTracked();
  story.jobReported({ active: 1, startTime: story.now });
  return story;
}

/** A Job whose first Pod failed and whose second one succeeded. */
export function retried(): Story {
  const story = tracked();
  story.podFails("a", 1, 2, { tracked: true });
  story.podUntracked("a");
  story.after(10);
  story.podSucceeds("b", 2, { tracked: true });
  story.podUntracked("b");
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1, failed: 1 });
  return story;
}

/**
 * The first Pod's node falls silent, the Pod is deleted because of its taint and counted as failed, a second Pod runs,
 * and the node returns.
 */
export function silentNode(): Story {
  const story = tracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a", "node-a");
  story.after(10);
  story.node("node-a", "Unknown");
  story.after(5);
  story.podDisrupted("a", "DeletionByTaintManager");
  story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
  story.podUntracked("a");
  story.after(5);
  story.podCreated("b");
  story.podTracked("b");
  story.podStarted("b", "node-b");
  story.after(5);
  story.containerEnded("a", 0, 12, { finishedAt: story.second(12) });
  story.podTerminated("a", "Succeeded");
  story.podDeleted("a");
  return story;
}

export const INDEXED = { completionMode: "Indexed", completions: 2, parallelism: 2 } as const;
