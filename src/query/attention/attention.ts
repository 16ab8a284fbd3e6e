import * as v from "valibot";
import { type AnswerOf, count, instant, maybe, text } from "../../explain/answer-parts.ts";
import { SEVERITIES } from "../../explain/attention/severity.ts";

export const attentionGroupSchema = v.object({
  type: v.picklist(["series", "run"]),
  kind: text,
  name: text,
  uid: maybe(text),
});
export type AttentionGroup = AnswerOf<typeof attentionGroupSchema>;

export const acknowledgedSchema = v.pipe(
  v.object({ by: text, note: text, at: instant, until: instant }),
  v.description("Who acknowledged the entry, with which note, and until when."),
);
export type Acknowledged = AnswerOf<typeof acknowledgedSchema>;

export const attentionEntrySchema = v.pipe(
  v.object({
    id: v.pipe(text, v.description("Stays the same while cluster, namespace, group, kind and severity do.")),
    severity: v.pipe(
      v.picklist(SEVERITIES),
      v.description(
        "`failed`: for good. `atRisk`: it runs or is due, and may fail. `cleanedUp`: it is over, and leaves " +
          "something to clean up or to know.",
      ),
    ),
    kind: v.pipe(text, v.description("The leading finding of its Jobs, or of their CronJob.")),
    title: v.pipe(text, v.description("The kind in words.")),
    message: v.pipe(
      text,
      v.description("Why the newest Job failed, if known; else what the leading finding says. At most 300 characters."),
    ),
    cluster: text,
    namespace: text,
    group: maybe(
      v.pipe(
        attentionGroupSchema,
        v.description("The series of the Jobs, or their run. Absent for Jobs of a namespace on their own."),
      ),
    ),
    teams: v.pipe(
      v.array(text),
      v.description("Values of the label `team` of the Jobs of its group: the first ten by name."),
    ),
    jobs: v.pipe(count, v.description("Each Job is in exactly one entry. 0 for a finding of a CronJob itself.")),
    otherKinds: v.pipe(
      v.record(v.string(), count),
      v.description("Further findings of these Jobs and their CronJob, by kind."),
    ),
    newest: maybe(v.pipe(v.object({ name: text, uid: text }), v.description("The Job that came last."))),
    firstAt: v.pipe(instant, v.description("When the first Job came into the entry.")),
    latestAt: v.pipe(instant, v.description("When the newest Job came into the entry.")),
    acknowledged: maybe(acknowledgedSchema),
  }),
  v.description("The Jobs of a series or run that need attention, as one entry for each severity."),
);
export type AttentionEntry = AnswerOf<typeof attentionEntrySchema>;

export const attentionSchema = v.object({
  items: v.pipe(v.array(attentionEntrySchema), v.description("By severity, then newest first.")),
  complete: v.pipe(v.boolean(), v.description("Whether every Job and CronJob with findings was read.")),
  partial: maybe(
    v.pipe(
      v.object({ since: instant }),
      v.description("If not all Jobs: those that were created at this time or later, and some that still run."),
    ),
  ),
  older: maybe(v.pipe(count, v.description("How many entries are left out because of `since`, if any."))),
  cronJobsOmitted: maybe(
    v.pipe(count, v.description("How many CronJobs that are not on time were not examined, if any.")),
  ),
  nextCursor: maybe(v.pipe(text, v.description("Pass it as `cursor` to get the next page. Absent on the last page."))),
});
export type AttentionAnswer = AnswerOf<typeof attentionSchema>;
