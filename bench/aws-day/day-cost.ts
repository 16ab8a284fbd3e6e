import type { Prices } from "../dynamodb/cost.ts";
import type { BillItem } from "../fleet/bill-item.ts";
import { type FleetConsumption, jobsPerMonth, monthlyBill } from "../fleet/monthly-bill.ts";

/** What a Job of the fleet takes: the full hour of `bench fleet` (docs/benchmarks.md, "The reference fleet"). */
export const MEASURED: FleetConsumption = {
  writeUnits: { log: 0.7, jobs: 6.32, runs: 0, meta: 1.75 },
  readUnits: { log: 0.2, jobs: 5.2, runs: 0, meta: 2 },
  messages: 1.38,
  batches: 0.19,
  packs: 0.19,
  bytes: { log: 660, jobs: 1_000, runs: 0, meta: 132 },
  indexBytes: 700,
};

const DAYS_PER_MONTH = 30.4;
/** One in this many of the fleet's Jobs. */
export const SCALE = 20;
/** The midnight peak of the whole fleet: ten times as many Jobs, for five minutes. */
const PEAK = { jobsPerSecond: 588, seconds: 300 };
/** A rebuild writes at most what the live projection wrote. */
const REBUILT_UNITS = MEASURED.writeUnits.jobs;
/** Requests without a token, at the limit of the stage, for an hour each: the API and the page. */
const FLOOD = { requests: 100 * 3_600, seconds: 0.01, gigabytes: 1.769 };

/**
 * The cost of one day on AWS. Where a part is not known better, it is the most that it can be: monitoring is paid for a
 * whole month, and storage as if the day's data were kept for one.
 */
export function dayCost(prices: Prices): readonly BillItem[] {
  const month = monthlyBill(MEASURED, prices);
  const total = month.reduce((sum, { dollars }) => sum + dollars, 0);
  const perJob = total / jobsPerMonth();
  const jobs = jobsPerMonth() / DAYS_PER_MONTH / SCALE;
  const monitoring = month.find(({ service }) => service === "metrics, alarms, dashboard")?.dollars ?? 0;
  return [
    item(
      `${Math.round(jobs).toLocaleString("en-US")} Jobs with their readers, a twentieth of the fleet's day`,
      total / DAYS_PER_MONTH / SCALE,
    ),
    item("the midnight peak of the whole fleet", perJob * PEAK.jobsPerSecond * PEAK.seconds),
    item("a rebuild of the day's log", (jobs * REBUILT_UNITS * prices.infrequentWriteUnitsPerMillion) / 1e6),
    item("an hour of requests without a token, at the limit", floodCost(prices)),
    item("metrics, alarms and dashboard of a month", monitoring),
  ];
}

function floodCost(prices: Prices): number {
  const { requests, seconds, gigabytes } = FLOOD;
  const each = (prices.apiRequestsPerMillion + prices.lambdaRequestsPerMillion) / 1e6;
  return requests * (each + seconds * gigabytes * prices.lambdaGbSecond);
}

function item(service: string, dollars: number): BillItem {
  return { service, dollars, isModelled: true };
}
