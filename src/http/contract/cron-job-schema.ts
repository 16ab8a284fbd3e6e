import * as v from "valibot";
import { STATES } from "../../job/model/states.ts";
import { CRON_FINDING_KINDS } from "../../parents/cron-job/cron-findings.ts";
import type { CronJobAnswer } from "../../query/cron-jobs/cron-jobs.ts";
import type { CronRunsAnswer } from "../../query/cron-jobs/cron-runs.ts";
import { amount, count, instant, maybe, text } from "../../explain/answer-parts.ts";

export const percentilesSchema = v.object({ p50: amount, p90: amount, p99: amount, max: amount });

const cronFindingSchema = v.object({
  kind: v.picklist(CRON_FINDING_KINDS),
  message: text,
  since: instant,
});

export const cronJobSchema: v.GenericSchema<CronJobAnswer> = v.pipe(
  v.object({
    cluster: text,
    namespace: text,
    name: text,
    uid: text,
    createdAt: maybe(instant),
    deletedAt: maybe(instant),
    schedule: maybe(text),
    timeZone: maybe(text),
    suspend: maybe(v.boolean()),
    concurrencyPolicy: maybe(text),
    lastScheduledAt: maybe(instant),
    lastSuccessfulAt: maybe(instant),
    findings: maybe(
      v.pipe(
        v.array(cronFindingSchema),
        v.description("Only with `attention`: what its last runs and due times show."),
      ),
    ),
  }),
  v.description("A CronJob as it was last observed."),
);

const UNKNOWN_RUNS = ["beforeFirstObservation", "gap", "silence", "changed"] as const;

export const cronRunsSchema: v.GenericSchema<CronRunsAnswer> = v.object({
  cronJob: maybe(cronJobSchema),
  since: instant,
  until: instant,
  timeZone: text,
  days: v.array(
    v.object({
      day: text,
      expected: count,
      runs: count,
      complete: count,
      failed: count,
      missed: count,
      skipped: count,
      unknown: count,
    }),
  ),
  runs: v.array(
    v.object({
      name: text,
      uid: text,
      state: v.picklist(STATES),
      reason: maybe(text),
      scheduledAt: maybe(instant),
      createdAt: instant,
      startedAt: maybe(instant),
      finishedAt: maybe(instant),
      deletedAt: maybe(instant),
      delaySeconds: maybe(amount),
      durationSeconds: maybe(amount),
      attention: v.boolean(),
    }),
  ),
  missed: v.pipe(
    v.array(
      v.object({
        dueAt: instant,
        cause: v.picklist(["skipped", "missed"]),
        during: maybe(text),
        mayStartLate: maybe(v.literal(true)),
      }),
    ),
    v.description(
      "Scheduled times without a run, by the schedule of that time. `skipped`: the run `during` was still in progress.",
    ),
  ),
  unobserved: v.pipe(
    v.array(v.object({ dueAt: instant, reason: v.picklist(UNKNOWN_RUNS) })),
    v.description("Scheduled times that were not observed: it is unknown whether there was a run."),
  ),
  findings: v.pipe(
    v.array(cronFindingSchema),
    v.description("What the last runs and due times show, as of the last data from the cluster."),
  ),
  delaySeconds: maybe(percentilesSchema),
  durationSeconds: maybe(percentilesSchema),
  partial: maybe(v.object({ since: instant })),
});
