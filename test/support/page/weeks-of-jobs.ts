import type { ApiStores } from "../../../src/http/create-api.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { formatInstant, type Instant } from "../../../src/job/model/instant.ts";
import { tell } from "../stores/stores-with-facts.ts";
import { Story } from "../story/story.ts";
import { gapOf, heartbeat } from "../story/watched-clusters.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The CronJob whose runs fail more often and take longer in the last days. */
export const WEEKLY = { cluster: "prod-eu", namespace: "batch", owner: "CronJob/report" } as const;

/** The whole days that no Job is known of, counted back from today: a gap of 50 hours hides the first completely. */
export const GAP_DAY = 5;
/** Since this day, two of three runs fail and they take twice as long. */
export const WORSE_SINCE = 4;
/** The first day with Jobs. */
export const FIRST_DAY = 12;

/** Two weeks of hourly runs of a watched cluster, with a gap, and with more failures at the end. */
export async function tellWeeksOfJobs(stores: ApiStores, now: Instant): Promise<void> {
  const today = Math.floor(now / DAY) * DAY;
  const begin = today - FIRST_DAY * DAY;
  const blind = { from: today - GAP_DAY * DAY - HOUR, to: today - (GAP_DAY - 1) * DAY + HOUR };
  const hours = Array.from({ length: Math.floor((now - begin) / HOUR) }, (_, hour) => begin + hour * HOUR);
  const facts = hours
    .filter((at) => at < blind.from || at >= blind.to)
    .flatMap((at, number) => runAt(at, { number, isWorse: at >= today - WORSE_SINCE * DAY }));
  await tell(
    stores,
    [heartbeat(now, "v1.36.3"), gapOf(blind.from, blind.to - blind.from, "exporter was down"), ...facts],
    {
      cluster: WEEKLY.cluster,
      sealedAt: now,
      factsInSegment: 50,
    },
  );
}

/** A run that begins in the hour, waits half a minute for its Pod, and ends within it. */
function runAt(
  hour: Instant,
  { number, isWorse }: { readonly number: number; readonly isWorse: boolean },
): readonly Fact[] {
  const story = new Story(`report-${hour / HOUR}`, formatInstant(hour + 60_000));
  const owner = { kind: "CronJob", name: "report", uid: "cron-report" };
  story.jobCreated({ backoffLimit: 0 }, { namespace: WEEKLY.namespace, name: `report-${hour / HOUR}`, owner });
  const startTime = story.now;
  story.podCreated("a", { namespace: WEEKLY.namespace });
  story.podReserved("a");
  story.after(20 + (number % 5) * 5);
  story.podStarted("a");
  const seconds = (isWorse ? 600 : 240) + (number % 7) * 20;
  story.after(seconds);
  const hasFailed = number % 24 === 3 || (isWorse && number % 3 > 0);
  story.containerEnded("a", hasFailed ? 1 : 0, seconds);
  story.podTerminated("a", hasFailed ? "Failed" : "Succeeded");
  if (hasFailed) story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1, startTime });
  else story.jobFinished("Complete", "CompletionsReached", { succeeded: 1, startTime });
  story.podDeleted("a");
  return story.facts;
}
