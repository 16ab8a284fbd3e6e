import type { CronJobObserved } from "../../../src/job/model/fact.ts";
import { numberedFact } from "../stores/sealed-segments.ts";

/** An observation of CronJob `c-1`, whose last run was scheduled at this instant. */
export function cronJobScheduledAt(lastScheduledAt: number): CronJobObserved {
  return {
    epoch: 0,
    resourceVersion: numberedFact(lastScheduledAt).resourceVersion,
    at: lastScheduledAt,
    kind: "CronJobObserved",
    namespace: "team",
    name: "report",
    cronJobUid: "c-1",
    createdAt: 0,
    generation: 1,
    schedule: "* * * * *",
    suspend: false,
    concurrencyPolicy: "Allow",
    lastScheduledAt,
  };
}
