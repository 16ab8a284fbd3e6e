/** The reference fleet: its clusters by rank, and how figures of a few measured clusters apply to all of them. */

const CLUSTERS = 200;
export const NAMESPACES_PER_CLUSTER = 30;
/** Jobs per second of the largest cluster. The rates follow a Zipf distribution with exponent 1. */
const LARGEST_RATE = 10;
/** For five minutes at 00:00 UTC, ten times as many Jobs begin. */
const PEAK_FACTOR = 10;

/** Jobs per second of the cluster at `rank`, from 1. */
export function rateOf(rank: number): number {
  return LARGEST_RATE / rank;
}

/** Jobs per second of all clusters, the largest first. */
export function clusterRates(): readonly number[] {
  return Array.from({ length: CLUSTERS }, (_, index) => rateOf(index + 1));
}

/** Jobs per second of the whole fleet, on average: 58.8, which is 5.1 million a day. */
export function fleetRate(): number {
  return clusterRates().reduce((sum, rate) => sum + rate, 0);
}

/** A figure per Job, measured in a cluster with this rate. */
export interface MeasuredRate {
  readonly rate: number;
  readonly perJob: number;
}

/**
 * The figure per Job of the whole fleet. It depends on how many Jobs share a segment, so each cluster takes the value
 * between the two measured rates around its own (linear in the logarithm of the rate). Beyond the measured rates, the
 * nearest one counts: for the busiest clusters this overestimates.
 */
export function perJobOfFleet(measured: readonly MeasuredRate[]): number {
  const points = measured.toSorted((a, b) => a.rate - b.rate);
  const units = clusterRates().reduce((sum, rate) => sum + rate * interpolated(points, rate), 0);
  return units / fleetRate();
}

/** `points` in order of their rates. */
export function interpolated(points: readonly MeasuredRate[], rate: number): number {
  const above = points.find((point) => point.rate >= rate);
  const below = points.findLast((point) => point.rate <= rate);
  if (above === undefined || below === undefined) return (above ?? below)?.perJob ?? Number.NaN;
  if (above.rate === below.rate) return above.perJob;
  const share = Math.log(rate / below.rate) / Math.log(above.rate / below.rate);
  return below.perJob + share * (above.perJob - below.perJob);
}

/** The load of one partition key in a measured run. */
export interface KeyLoad {
  readonly table: string;
  readonly key: string;
  readonly units: number;
}

/** A run whose keys are scaled to the fleet at its peak. */
export interface MeasuredKeys {
  readonly loads: readonly KeyLoad[];
  /** The duration of the run in seconds, the rate of all its clusters, and that of its largest cluster. */
  readonly seconds: number;
  readonly rate: number;
  readonly largest: { readonly cluster: string; readonly rate: number };
}

/**
 * Write units per second of the busiest key of each table and index at the peak of the fleet. The load of a key that
 * belongs to one cluster grows with that cluster, up to the peak of the largest. A key without a cluster takes the load
 * of the whole fleet.
 */
export function busiestKeys({ loads, seconds, rate, largest }: MeasuredKeys): readonly KeyLoad[] {
  const ofLargest = (PEAK_FACTOR * LARGEST_RATE) / largest.rate;
  const ofFleet = (PEAK_FACTOR * fleetRate()) / rate;
  const busiest = new Map<string, KeyLoad>();
  for (const { table, key, units } of loads) {
    const isShared = !/(^|#)fleet-\d+/.test(key);
    if (!isShared && !key.includes(largest.cluster)) continue;
    const scaled = { table, key, units: (units / seconds) * (isShared ? ofFleet : ofLargest) };
    if (scaled.units > (busiest.get(table)?.units ?? 0)) busiest.set(table, scaled);
  }
  return [...busiest.values()];
}
