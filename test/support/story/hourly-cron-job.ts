import type { Fact } from "../../../src/job/model/fact.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { Story } from "./story.ts";

const HOUR = 3_600;

/** A CronJob that is due at every full hour from 2026-01-01 on. */
export function hourly(): Fact {
  return cronJobOf("0 * * * *");
}

/** A CronJob of this schedule from 2026-01-01 on. */
export function cronJobOf(schedule: string, uid = "cron-1", name = "hourly"): Fact {
  const story = new Story();
  story.cronJob(uid, { name, namespace: "default", schedule });
  const fact = story.clusterContext.cronJobs?.get(uid)?.observed;
  if (fact === undefined) throw new Error("The story has a CronJob.");
  return fact;
}

/** The CronJob was deleted after this many hours. */
export function cronJobDeleted(hours: number): Fact {
  const story = new Story();
  story.cronJob("cron-1", { name: "hourly", namespace: "default", schedule: "0 * * * *" });
  story.after(hours * HOUR);
  story.cronJobDeleted("cron-1");
  const fact = story.clusterContext.cronJobs?.get("cron-1")?.deleted;
  if (fact === undefined) throw new Error("The CronJob was deleted.");
  return fact;
}

/** The run that was due after this many hours. It succeeded, unless the test says otherwise. */
export function runAt(hours: number, ended: "Complete" | "Failed" = "Complete"): Story {
  const story = new Story(`hourly-${hours}`);
  story.after(hours * HOUR);
  story.jobCreated(
    {},
    {
      owner: { kind: "CronJob", name: "hourly", uid: "cron-1" },
      name: `hourly-${story.now / 60_000}`,
      createdAt: story.now,
    },
  );
  if (ended === "Complete") story.podSucceeds("a", 10);
  else story.podFails("a", 1, 10);
  story.jobFinished(ended, ended === "Failed" ? "BackoffLimitExceeded" : undefined);
  return story;
}

/** A heartbeat of the cluster after this many hours. */
export function heardAfter(hours: number): { readonly facts: readonly Fact[]; readonly now: Instant } {
  const story = new Story(`other-${hours}`);
  story.after(hours * HOUR);
  story.jobCreated({}, { createdAt: story.now });
  return { facts: story.facts, now: story.now };
}
