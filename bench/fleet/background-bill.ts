import type { Prices } from "../dynamodb/cost.ts";
import type { BillItem } from "./bill-item.ts";
import { fleetRate } from "./reference-fleet.ts";

const HOURS = 730;
const SECONDS = HOURS * 3_600;
const DAYS_KEPT = 400;
const FAILED_SHARE = 0.01;

/** Memory of the functions, as lib deploys them, and durations that are assumed: none was measured on AWS. */
const COUNT = { gigabytes: 1, secondsOfRound: 20, secondsWithoutRound: 2, secondsOfVerification: 120 };
/** A round every five minutes; the function runs every minute. */
const ROUNDS_PER_HOUR = 12;
/**
 * CronJobs of the fleet (cron-jobs.ts), and the assumed size of their records, which are read every five minutes. Runs
 * are read by their names, at the units that bench/drills/schedule-watch.ts measures: of the frequent CronJobs, each;
 * and again by each new process.
 */
const SCHEDULES = {
  cronJobs: 107_000,
  readUnitsOfRecord: 0.125,
  readUnitsOfRun: 1,
  runsPerDay: 4e6,
  frequent: 13_600,
  processesPerDay: 12,
};

/** Live Jobs, and the Jobs per second that a sweep or an audit visits (docs/scale.md). */
const SWEEP = { gigabytes: 0.5, jobs: 100_000, perSecond: 2_000 };
const AUDIT = { gigabytes: 1, perSecond: 2_000 };

/** Measured on one machine (docs/archive.md): Jobs per second of CPU, and the larger of two sizes of a Job. */
const ARCHIVE = { gigabytes: 3.008, jobsPerSecond: 510, bytesPerJob: 921 };
/** Read units of a Job's state and of its part of a pack. */
const ARCHIVE_READS = 1.1;
/** Objects of an hour: three tables for each cluster, the segments and the manifest. Each is read back once. */
const OBJECTS_PER_HOUR = 3 * 200 + 2;
/** Assumed queries of one day of Jobs, about a gigabyte each. */
const QUERIES = { count: 1_000, terabytes: 0.001 };

/**
 * Shards of the stream of the live table. Each invokes the function once in its batch window of two seconds, with some
 * 40 changes (assumed: it takes twice as long as with the five of a quarter of a second).
 */
const STREAM_SHARDS = 8;
const BATCHES_PER_SECOND = 0.5;
const NOTIFY = { gigabytes: 1, seconds: 0.06 };
const DELIVER = { gigabytes: 0.5, seconds: 0.2 };
/** Write units and requests to SQS of one message (docs/decisions/0038-notifications-on-aws.md). */
const MESSAGE = { writeUnits: 4, queueRequests: 3 };

/**
 * Metrics, and the alarms and dashboard of the template with an archive and rules. CloudWatch charges an alarm by the
 * metrics that it watches. test/lib/monitoring/alarms.test.ts compares them with the template.
 */
export const MONITORING = { metrics: 24, alarmMetrics: 60, dashboards: 1 };

/**
 * What a stage costs in a month beside ingest, projection and answers. All of it is modelled. The archive and
 * notifications are settings: one rule for failed Jobs, with one receiver.
 */
export function backgroundBill(prices: Prices): readonly BillItem[] {
  const lambda = (seconds: number, gigabytes: number) => seconds * gigabytes * prices.lambdaGbSecond;
  return [
    { service: "counting: function, verification, streams", dollars: countBill(prices), isModelled: true },
    { service: "missed runs of CronJobs", dollars: scheduleBill(prices), isModelled: true },
    { service: "Lambda of sweep and audit", dollars: scheduledBill(lambda), isModelled: true },
    { service: "metrics, alarms, dashboard", dollars: monitoringBill(prices), isModelled: true },
    { service: "archive (S3, function, reads, Athena)", dollars: archiveBill(prices, lambda), isModelled: true },
    { service: "notifications of failed Jobs", dollars: notificationBill(prices, lambda), isModelled: true },
  ];
}

type LambdaPrice = (seconds: number, gigabytes: number) => number;

function countBill(prices: Prices): number {
  const rounds = HOURS * ROUNDS_PER_HOUR;
  const idle = HOURS * 60 - rounds;
  const { gigabytes, secondsOfRound, secondsWithoutRound, secondsOfVerification } = COUNT;
  const seconds = rounds * secondsOfRound + idle * secondsWithoutRound + HOURS * secondsOfVerification;
  // Half a unit for each Job of an hour, each hour.
  const verified = million(fleetRate() * 3_600 * 0.5 * HOURS, prices.infrequentReadUnitsPerMillion);
  // Two requests for each shard and run. Those that Lambda makes are free.
  const streams = million(2 * STREAM_SHARDS * HOURS * 60, prices.streamReadsPerMillion);
  return seconds * gigabytes * prices.lambdaGbSecond + verified + streams;
}

function scheduleBill(prices: Prices): number {
  const { cronJobs, readUnitsOfRecord, readUnitsOfRun, runsPerDay, frequent, processesPerDay } = SCHEDULES;
  const records = million(ROUNDS_PER_HOUR * HOURS * cronJobs * readUnitsOfRecord, prices.readUnitsPerMillion);
  const runs = (HOURS / 24) * readUnitsOfRun * (runsPerDay + frequent * 10 * processesPerDay);
  return records + million(runs, prices.infrequentReadUnitsPerMillion);
}

function scheduledBill(lambda: LambdaPrice): number {
  const sweeps = lambda((SWEEP.jobs / SWEEP.perSecond) * ROUNDS_PER_HOUR * HOURS, SWEEP.gigabytes);
  return sweeps + lambda((fleetRate() * SECONDS) / AUDIT.perSecond, AUDIT.gigabytes);
}

function monitoringBill({ metricPerMonth, alarmPerMonth, dashboardPerMonth }: Prices): number {
  const { metrics, alarmMetrics, dashboards } = MONITORING;
  return metrics * metricPerMonth + alarmMetrics * alarmPerMonth + dashboards * dashboardPerMonth;
}

function archiveBill(prices: Prices, lambda: LambdaPrice): number {
  const jobs = fleetRate() * SECONDS;
  const gigabytes = (fleetRate() * 86_400 * DAYS_KEPT * ARCHIVE.bytesPerJob) / 1e9;
  const objects = OBJECTS_PER_HOUR * HOURS;
  const requests = million(objects, prices.objectWritesPerMillion + prices.objectReadsPerMillion);
  const reads = million(jobs * ARCHIVE_READS, prices.infrequentReadUnitsPerMillion);
  const queries = QUERIES.count * QUERIES.terabytes * prices.queryPerTerabyte;
  const exported = lambda(jobs / ARCHIVE.jobsPerSecond, ARCHIVE.gigabytes);
  return gigabytes * prices.objectStoragePerGbMonth + requests + reads + queries + exported;
}

function notificationBill(prices: Prices, lambda: LambdaPrice): number {
  const messages = fleetRate() * SECONDS * FAILED_SHARE;
  const batches = STREAM_SHARDS * BATCHES_PER_SECOND * SECONDS;
  const invocations = million(batches + messages, prices.lambdaRequestsPerMillion);
  const duration = lambda(batches * NOTIFY.seconds, NOTIFY.gigabytes);
  const delivered = lambda(messages * DELIVER.seconds, DELIVER.gigabytes);
  const written = million(messages * MESSAGE.writeUnits, prices.writeUnitsPerMillion);
  const queued = million(messages * MESSAGE.queueRequests, prices.queueRequestsPerMillion);
  return invocations + duration + delivered + written + queued;
}

function million(count: number, price: number): number {
  return (count / 1e6) * price;
}
