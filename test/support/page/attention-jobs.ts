import type { Fact } from "../../../src/job/model/fact.ts";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { formatInstant, type Instant } from "../../../src/job/model/instant.ts";
import { Story } from "../story/story.ts";

interface JobOfScene {
  readonly name: string;
  readonly namespace: string;
  readonly team?: string;
  /** The CronJob that made it. */
  readonly of?: string;
  readonly beganAt: Instant;
}

/** A Job whose only Pod failed. */
export function failedJob(job: JobOfScene): readonly Fact[] {
  const story = begun(job);
  story.podCreated("a", { namespace: job.namespace });
  story.podStarted("a");
  story.after(30);
  story.containerEnded("a", 137, 30, { reason: "OOMKilled" });
  story.podTerminated("a", "Failed");
  story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1 });
  return story.facts;
}

/** A Job that runs, and whose container was restarted in place. */
export function restartedJob(job: JobOfScene): readonly Fact[] {
  const story = begun(job, { restartPolicy: "OnFailure" });
  story.jobTracked();
  story.jobReported({ active: 1, startTime: story.now });
  story.podCreated("a", { namespace: job.namespace });
  story.podTracked("a");
  story.podStarted("a");
  story.after(15);
  story.containerEnded("a", 1, 15);
  story.podObserved("a", { restarts: 1 });
  return story.facts;
}

/** A Job that is complete, and whose work was repeated: its first success was deleted before it was counted. */
export function repeatedJob(job: JobOfScene): readonly Fact[] {
  const story = begun(job);
  story.jobUntracked();
  story.jobReported({ active: 1, startTime: story.now });
  story.podSucceeds("a", 20, { namespace: job.namespace });
  story.after(20);
  story.podDeletionRequested("a", "Succeeded");
  story.podDeleted("a");
  story.after(3);
  story.podSucceeds("b", 20, { namespace: job.namespace });
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  return story.facts;
}

function begun({ name, namespace, team, of, beganAt }: JobOfScene, spec: Partial<JobSpec> = {}): Story {
  const story = new Story(name, formatInstant(beganAt));
  const owner = of === undefined ? {} : { owner: { kind: "CronJob", name: of, uid: `cron-${of}` } };
  story.jobCreated(
    { backoffLimit: 0, ...spec },
    { name, namespace, labels: team === undefined ? {} : { team }, ...owner },
  );
  return story;
}
