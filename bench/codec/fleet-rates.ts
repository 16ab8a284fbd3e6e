import { clusterRates, rateOf } from "../fleet/reference-fleet.ts";

/** The measured ranks of the reference fleet. Each represents the ranks nearest to it. */
const MEASURED_RANKS = [1, 4, 16, 64, 200];

export interface RateClass {
  /** Jobs per second in one cluster. */
  readonly rate: number;
  /** The share of the fleet's Jobs in clusters of about this rate. */
  readonly share: number;
}

export function rateClasses(): readonly RateClass[] {
  const ranks = clusterRates().map((_, index) => index + 1);
  const total = ranks.reduce((sum, rank) => sum + rateOf(rank), 0);
  const nearest = (rank: number) =>
    MEASURED_RANKS.toSorted((a, b) => Math.abs(Math.log(a / rank)) - Math.abs(Math.log(b / rank)))[0];
  return MEASURED_RANKS.map((measured) => {
    const members = ranks.filter((rank) => nearest(rank) === measured);
    return { rate: rateOf(measured), share: members.reduce((sum, rank) => sum + rateOf(rank), 0) / total };
  });
}
