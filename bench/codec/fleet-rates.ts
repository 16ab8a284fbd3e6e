/**
 * The reference fleet: 200 clusters with 58 Jobs per second in total, and 10 in the largest (a Zipf distribution with
 * exponent 1).
 */
const CLUSTERS = 200;
const LARGEST_RATE = 10;

/** Jobs per second of the cluster at `rank`, from 1. */
function rateOf(rank: number): number {
  return LARGEST_RATE / rank;
}

/** The measured ranks. Each represents the ranks nearest to it. */
const MEASURED_RANKS = [1, 4, 16, 64, 200];

export interface RateClass {
  /** Jobs per second in one cluster. */
  readonly rate: number;
  /** The share of the fleet's Jobs in clusters of about this rate. */
  readonly share: number;
}

export function rateClasses(): readonly RateClass[] {
  const ranks = Array.from({ length: CLUSTERS }, (_, index) => index + 1);
  const total = ranks.reduce((sum, rank) => sum + rateOf(rank), 0);
  const nearest = (rank: number) =>
    MEASURED_RANKS.toSorted((a, b) => Math.abs(Math.log(a / rank)) - Math.abs(Math.log(b / rank)))[0];
  return MEASURED_RANKS.map((measured) => {
    const members = ranks.filter((rank) => nearest(rank) === measured);
    return { rate: rateOf(measured), share: members.reduce((sum, rank) => sum + rateOf(rank), 0) / total };
  });
}
