import { explainCronFinding } from "../../explain/explain-cron-finding.ts";
import { formatInstant } from "../../job/model/instant.ts";
import type { CronFinding, CronFindingKind } from "../../job/schedule/cron-findings.ts";

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
