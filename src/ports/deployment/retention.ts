/** For how many days a Job is kept after it ended, unless the deployment says otherwise. */
export const DEFAULT_RETENTION_DAYS = 400;

/**
 * For how many days the stack's buckets keep an object: a set-aside message too large for a record, or a failed stream
 * record.
 */
export const BUCKET_DAYS = 90;

/** For how many days the partial states of a replay are kept: longer than it may take. */
export const REPLAY_DAYS = 3;

/** For how many days the log is kept where it is archived, unless the deployment says otherwise. */
export const DEFAULT_LOG_DAYS = 35;

/**
 * The lowest setting. Younger hours are complete in the log. The archive is an hour behind, and when it is days behind,
 * the log's expiry is suspended (src/upkeep/retention).
 */
export const LEAST_LOG_DAYS = 7;
