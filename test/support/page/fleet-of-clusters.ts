import type { ApiStores } from "../../../src/http/create-api.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { formatInstant, type Instant } from "../../../src/job/model/instant.ts";
import { tell } from "../stores/stores-with-facts.ts";
import { Story } from "../story/story.ts";
import { gapOf, heartbeat } from "../story/watched-clusters.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Every 40th cluster is silent, every 20th had a gap, and every 7th has failed Jobs. */
export const FLEET = { clusters: 200, silentEvery: 40, gapEvery: 20, failedEvery: 7 } as const;

export function clusterName(number: number): string {
  return `prod-${["eu", "us", "ap"][number % 3]}-${String(number).padStart(3, "0")}`;
}

/** Generated clusters of a fleet, as of `now`. */
export async function tellFleet(stores: ApiStores, now: Instant): Promise<void> {
  for (let number = 0; number < FLEET.clusters; number += 1) {
    const isSilent = number % FLEET.silentEvery === 3;
    const heardAt = isSilent ? now - (2 + number / 40) * HOUR : now - (number % 9) * 1_000;
    const facts = [
      heartbeat(heardAt, "v1.36.3"),
      ...(number % FLEET.gapEvery === 5 ? [gapOf(now - (3 + (number % 11)) * HOUR, 50 * MINUTE, "watch closed")] : []),
      ...(number % FLEET.failedEvery === 0 ? failedJobs(number, now - 5 * HOUR) : []),
    ];
    await tell(stores, facts, { cluster: clusterName(number), sealedAt: now });
  }
}

function failedJobs(number: number, at: Instant): readonly Fact[] {
  return Array.from({ length: 1 + (number % 4) }, (_, index) => {
    const story = new Story(`load-${number}-${index}`, formatInstant(Math.floor(at / 1_000) * 1_000));
    story.jobCreated({ backoffLimit: 0 }, { namespace: "batch" });
    story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1, startTime: story.now });
    return story.facts;
  }).flat();
}
