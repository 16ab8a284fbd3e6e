/**
 * Shards of the log, unless the stage says otherwise. Each takes 1,000 write units per second
 * (docs/deploy/settings.md).
 */
export const DEFAULT_PACK_SHARDS = 4;
/** The most shards of the log: a reader of the whole log queries each of them. */
export const MAX_PACK_SHARDS = 64;

/**
 * How often a message is received before SQS moves it to the dead-letter queue. 1,000 is the maximum of SQS. With the
 * longest wait of ingest (five minutes), that takes two to three days. If the function is killed each time, it takes
 * 1,000 visibility timeouts of a minute each, which is 16 hours.
 */
export const MAX_RECEIVES = 1_000;

/** A cluster's name, as settings of a deployment may contain it (`decodeClusterName`). */
export const CLUSTER_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,62}$/;

/** The standard number of series of metrics: label sets, each with all the buckets of its histogram. */
export const STANDARD_MAX_SERIES = 10_000;

/**
 * The number of sweeps that run in parallel. Each visits every fourth of the lists of long-lived Jobs, which all
 * clusters share. At most 5, because a rule of EventBridge has at most five targets (EventBridge User Guide, "Quotas").
 */
export const SWEEP_SHARDS = 4;

/**
 * The cluster of the probes of `outlive doctor`. Any principal that can send to the queue may send for it. Lists omit
 * it, and no real cluster can be registered under this name.
 */
export const PROBE_CLUSTER = "outlive-doctor";
