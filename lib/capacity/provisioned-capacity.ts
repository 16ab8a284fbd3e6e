import type { IScalableTableAttribute, Table } from "aws-cdk-lib/aws-dynamodb";
import { Schedule } from "aws-cdk-lib/aws-applicationautoscaling";
import type { IndexSchema } from "../../src/ports/deployment/tables.ts";
import {
  LEAST,
  TARGET_PERCENT,
  type TableContent,
  type Throughput,
  throughputOf,
  unitsOfIndex,
  unitsOfTable,
} from "./throughput.ts";

/** UTC. A table takes minutes to grow; and target tracking needs 15 minutes of low use before it shrinks. */
const BEFORE_MIDNIGHT = Schedule.cron({ hour: "23", minute: "50" });
const AFTER_MIDNIGHT = Schedule.cron({ hour: "0", minute: "15" });

/**
 * Scales a provisioned table and its indexes: target tracking at 60 % use, and at least the peak's units around
 * midnight UTC, when most CronJobs run. Either table of Jobs or runs may be the one that answers, so both grow; the
 * idle one shrinks to five units afterwards.
 *
 * What exceeds the capacity is first taken from the unused units of the last five minutes, and then throttled
 * (ProvisionedThroughputExceededException). A throttled index throttles the puts to its table. The SDK repeats a
 * throttled request; a function that still fails returns its batch to the queue or stream. Nothing is lost, and answers
 * are late (alarms TablesThrottled and WorkLags).
 *
 * A table can be switched to provisioned capacity at any time, and back to on demand four times in 24 hours (DynamoDB
 * Developer Guide, "Considerations when switching capacity modes"). It keeps its data and answers meanwhile.
 */
export function scaleTable(table: Table, { content, indexes, peakJobsPerSecond }: Scaled): void {
  const range = (perJob: number) => ({
    minCapacity: LEAST,
    maxCapacity: throughputOf(peakJobsPerSecond, perJob).most,
  });
  const { write, read } = unitsOfTable(content);
  scale(table.autoScaleWriteCapacity(range(write)), throughputOf(peakJobsPerSecond, write));
  scale(table.autoScaleReadCapacity(range(read)), throughputOf(peakJobsPerSecond, read));
  for (const { name } of indexes) {
    const units = unitsOfIndex(content, name);
    const writing = table.autoScaleGlobalSecondaryIndexWriteCapacity(name, range(units.write));
    scale(writing, throughputOf(peakJobsPerSecond, units.write));
    const reading = table.autoScaleGlobalSecondaryIndexReadCapacity(name, range(units.read));
    scale(reading, throughputOf(peakJobsPerSecond, units.read));
  }
}

interface Scaled {
  readonly content: TableContent;
  readonly indexes: readonly IndexSchema[];
  readonly peakJobsPerSecond: number;
}

function scale(attribute: IScalableTableAttribute, { atPeak }: Throughput): void {
  attribute.scaleOnUtilization({ targetUtilizationPercent: TARGET_PERCENT });
  attribute.scaleOnSchedule("BeforeMidnight", { schedule: BEFORE_MIDNIGHT, minCapacity: atPeak });
  attribute.scaleOnSchedule("AfterMidnight", { schedule: AFTER_MIDNIGHT, minCapacity: LEAST });
}
