import type { ApiStores } from "../../../src/http/create-api.ts";
import type { ClusterObserved, CronJobObserved, Fact, GapRecorded } from "../../../src/job/model/fact.ts";
import { formatInstant, type Instant } from "../../../src/job/model/instant.ts";
import { Story } from "./story.ts";
import { tell } from "../stores/stores-with-facts.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What a fact of a cluster carries besides its own fields, taken from a story's first. */
function stampAt(at: Instant): {
  readonly epoch: number;
  readonly resourceVersion: Fact["resourceVersion"];
  readonly at: Instant;
} {
  const story = new Story("stamp", formatInstant(at));
  story.jobCreated();
  const [told] = story.facts;
  if (told === undefined) throw new Error("The story told nothing.");
  return { epoch: told.epoch, resourceVersion: told.resourceVersion, at };
}

/**
 * Two clusters with exporters: one that is heard of now, and one that fell silent three hours before, with blind
 * windows behind it.
 */
export async function tellWatchedClusters(stores: ApiStores, now: Instant): Promise<void> {
  await tell(stores, [heartbeat(now, "v1.36.3"), cronJob(now), ...cronRuns(now)], {
    cluster: "prod-eu",
    sealedAt: now,
  });
  const silentSince = now - 3 * HOUR;
  const gaps = [
    gapOf(now - 2 * DAY, 11 * MINUTE, "watch closed"),
    gapOf(now - 9 * HOUR, 40 * MINUTE, "exporter was down"),
  ];
  await tell(stores, [heartbeat(silentSince, "v1.24.17"), ...gaps], { cluster: "prod-us", sealedAt: now });
}

export function heartbeat(at: Instant, serverVersion: string): ClusterObserved {
  return {
    ...stampAt(at),
    kind: "ClusterObserved",
    kubeSystemUid: "3f1c6a52-77c1-4f0e-9a55-1de1b0a7c111",
    serverVersion,
  };
}

export function gapOf(from: Instant, millis: number, reason: string): GapRecorded {
  const about = { gapId: `gap-${from}`, from, to: from + millis, resources: ["jobs", "pods"], reason };
  return { ...stampAt(from + millis), kind: "GapRecorded", ...about };
}

const EVERY = 6 * HOUR;
const RUNS = 80;
/** Which runs are missing and which failed, counted back from the last one. */
export const MISSED: readonly number[] = [9, 10, 41];
export const FAILED: readonly number[] = [3, 21, 22, 23, 24];

function cronJob(now: Instant): CronJobObserved {
  const createdAt = dueBefore(now, RUNS - 1) - 1_000;
  return {
    ...stampAt(createdAt),
    kind: "CronJobObserved",
    namespace: "batch",
    name: "backup",
    cronJobUid: "cron-backup",
    createdAt,
    generation: 1,
    schedule: scheduleAt(now),
    suspend: false,
    concurrencyPolicy: "Forbid",
  };
}

/**
 * The due time `back` runs before the last, which was one to two hours ago: it is over, and the next is hours away,
 * whenever this is told.
 */
function dueBefore(now: Instant, back: number): Instant {
  return Math.floor((now - HOUR) / HOUR) * HOUR - back * EVERY;
}

/** The schedule that comes to these times. */
export function scheduleAt(now: Instant): string {
  const hours = [0, 1, 2, 3].map((back) => new Date(dueBefore(now, back)).getUTCHours());
  return `0 ${hours.toSorted((a, b) => a - b).join(",")} * * *`;
}

function cronRuns(now: Instant): readonly Fact[] {
  return Array.from({ length: RUNS }, (_, back) => (MISSED.includes(back) ? [] : cronRun(now, back))).flat();
}

/** One run, a little late, and a little longer than the one before it. */
function cronRun(now: Instant, back: number): readonly Fact[] {
  const due = dueBefore(now, back);
  const story = new Story(`backup-run-${back}`, formatInstant(due + 2_000 + (back % 7) * 1_000));
  const owner = { kind: "CronJob", name: "backup", uid: "cron-backup" };
  const name = `backup-${due / MINUTE}`;
  story.jobCreated({ backoffLimit: 0 }, { namespace: "batch", name, owner, scheduledAt: due });
  const startTime = story.now;
  if (FAILED.includes(back)) {
    story.podFails("a", 1, 60);
    story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1, startTime });
  } else {
    story.podSucceeds("a", 240 + (RUNS - back) * 3);
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1, startTime });
  }
  return story.facts;
}
