/**
 * etcd accepts requests of up to 1.5 MiB (`--max-request-bytes`), and JSON is larger than the stored form.
 * A larger object cannot come from a cluster.
 */
export const MAX_OBJECT_BYTES = 8 * 1024 * 1024;
