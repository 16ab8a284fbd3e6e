import type { IMetric } from "aws-cdk-lib/aws-cloudwatch";

/** What an alarm of a stage is about. */
export interface AlarmDefinition {
  /** What is wrong, in one sentence. */
  readonly problem: string;
  readonly metric: IMetric;
  /** The alarm is raised at this value and above. */
  readonly threshold: number;
  /** For this number of consecutive periods. @default 1 */
  readonly periods?: number;
}
