import { explainCronFinding } from "../../parents/cron-job/cron-findings.ts";
import { formatInstant } from "../../job/model/instant.ts";
import type { CronFinding, CronFindingKind } from "../../parents/cron-job/cron-findings.ts";

export interface CronFindingAnswer {
  readonly kind: CronFindingKind;
  /** One sentence for a person. */
  readonly message: string;
  readonly since: string;
}

export function presentCronFinding(finding: CronFinding): CronFindingAnswer {
  const { kind, since } = finding;
  return { kind, message: explainCronFinding(finding), since: formatInstant(since) };
}
