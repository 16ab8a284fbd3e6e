/** For how many days a Job is kept after it ended, unless the deployment says otherwise. */
export const DEFAULT_RETENTION_DAYS = 400;

/**
 * For how many days the stack's buckets keep an object: a set-aside message too large for a record, or a failed stream
 * record.
 */
export const BUCKET_DAYS = 90;
