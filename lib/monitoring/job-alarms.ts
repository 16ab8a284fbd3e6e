import { Duration } from "aws-cdk-lib";
import type { AlarmDefinition } from "./alarm-definition.ts";
import { outliveMetric } from "./outlive-metric.ts";

/**
 * Alarms about Jobs, as far as CloudWatch can express the alerts of deploy/prometheus. They watch what was added in a
 * period, so that each resolves by itself when nothing more is. An alarm has one series: it cannot name the owner.
 * Findings and waiting Jobs have no alarm: CloudWatch gets one number for all kinds and namespaces.
 */
export function jobAlarms(stage: string) {
  return {
    JobsFail: {
      problem: "A Job failed in the last quarter of an hour.",
      metric: outliveMetric("JobsFailed", { stage, period: Duration.minutes(15) }),
      threshold: 1,
    },
    RunsMissed: {
      problem: "A CronJob missed a run in the last hour.",
      metric: outliveMetric("MissedRuns", { stage, period: Duration.hours(1) }),
      threshold: 1,
    },
    RunsNeedless: {
      problem: "Pods ran in the last hour although their Job was complete.",
      metric: outliveMetric("WastedSeconds", { stage, period: Duration.hours(1) }),
      threshold: 1,
    },
  } satisfies Record<string, AlarmDefinition>;
}
