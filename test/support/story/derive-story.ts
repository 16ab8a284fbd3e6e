import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { GapRecorded } from "../../../src/job/model/fact.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { answerRecord } from "../../../src/explain/present-job.ts";
import { recordRules } from "../../../src/explain/derived-job.ts";
import { type DerivedStatus, statusOf } from "../../../src/job/status/status.ts";
import { tallyPods } from "../../../src/job/accounting/tally.ts";
import type { Story } from "./story.ts";

/** The status at the end of a story. */
export function statusOfStory(story: Story, now: Instant = story.now, serverVersion?: string): DerivedStatus {
  const version = serverVersion === undefined ? {} : { serverVersion };
  const { record } = story;
  const tally = tallyPods(record.pods.values(), recordRules(record, version));
  return statusOf({ job: record.job, tally, now, ...version });
}

/** The answer at the end of a story. */
export function answerOfStory(
  story: Story,
  more: { readonly now?: Instant; readonly serverVersion?: string; readonly gaps?: readonly GapRecorded[] } = {},
): JobAnswer {
  const { now = story.now, ...around } = more;
  return answerRecord(story.record, { cluster: "test", clusterContext: { ...story.clusterContext, ...around }, now });
}
