/**
 * The buckets of a log-linear histogram of durations, per doubling. Histograms of different Jobs can be added, and the
 * middle of a bucket is within 3.2 % of every duration in it.
 */
const BUCKETS_PER_DOUBLING = 16;

/** The bucket of a duration in milliseconds. Durations below one millisecond are in the first bucket. */
export function durationBucket(millis: number): number {
  if (millis < 1) return 0;
  const exponent = Math.floor(Math.log2(millis));
  const within = Math.floor((millis / 2 ** exponent - 1) * BUCKETS_PER_DOUBLING);
  return 1 + exponent * BUCKETS_PER_DOUBLING + within;
}

/** The middle of a bucket, in milliseconds. */
export function bucketMiddle(bucket: number): number {
  if (bucket === 0) return 0;
  const [exponent, within] = [Math.floor((bucket - 1) / BUCKETS_PER_DOUBLING), (bucket - 1) % BUCKETS_PER_DOUBLING];
  return 2 ** exponent * (1 + (within + 0.5) / BUCKETS_PER_DOUBLING);
}
