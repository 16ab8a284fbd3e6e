import { LEAST, TARGET_PERCENT, throughputOf } from "../../lib/capacity/throughput.ts";
import { fleetRate } from "./reference-fleet.ts";

/** The setting `peakJobsPerSecond` of the reference fleet, whose peak is 588. */
const PEAK = 600;
/** From ten minutes before midnight until target tracking has shrunk the tables. */
const PEAK_HOURS = 40 / 60;
const HOURS_PER_DAY = 24;

/** The provisioned units of a table or index, in unit-hours a day, that takes `units` of each Job. */
export function unitHoursOfDay(units: number): number {
  const tracked = Math.max(LEAST, (fleetRate() * units * 100) / TARGET_PERCENT);
  return (HOURS_PER_DAY - PEAK_HOURS) * tracked + idleUnitHoursOfDay(units) - idleHours();
}

/** Those of the table of Jobs that does not answer: it grows before midnight, too. */
export function idleUnitHoursOfDay(units: number): number {
  return PEAK_HOURS * throughputOf(PEAK, units).atPeak + idleHours();
}

function idleHours(): number {
  return (HOURS_PER_DAY - PEAK_HOURS) * LEAST;
}
