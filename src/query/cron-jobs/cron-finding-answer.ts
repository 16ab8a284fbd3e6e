import * as v from "valibot";
import { type AnswerOf, instant, text } from "../../explain/answer-parts.ts";
import { CRON_FINDING_KINDS, type CronFinding, explainCronFinding } from "../../parents/cron-job/cron-findings.ts";
import { formatInstant } from "../../job/model/instant.ts";

export const cronFindingSchema = v.object({
  kind: v.picklist(CRON_FINDING_KINDS),
  message: text,
  since: instant,
});
export type CronFindingAnswer = AnswerOf<typeof cronFindingSchema>;

export function presentCronFinding(finding: CronFinding): CronFindingAnswer {
  const { kind, since } = finding;
  return { kind, message: explainCronFinding(finding), since: formatInstant(since) };
}
