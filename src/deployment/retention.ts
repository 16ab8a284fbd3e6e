/** For how many days a Job is kept after it ended, unless the deployment says otherwise. */
export const DEFAULT_RETENTION_DAYS = 400;

/**
 * For how many days the stack's buckets keep an object: a set-aside message too large for a record, or a failed stream
 * record.
 */
export const BUCKET_DAYS = 90;

/** For how many days the log is kept where it is archived, unless the deployment says otherwise. */
export const DEFAULT_LOG_DAYS = 35;

/**
 * The least that can be set. Younger hours are whole in the log. The archive is an hour behind, and the expiry of the
 * log is suspended when it is some days behind (src/retention).
 */
export const LEAST_LOG_DAYS = 7;
