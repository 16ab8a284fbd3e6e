/** etcd takes requests of up to 1.5 MiB (`--max-request-bytes`), and JSON is larger than what is stored. What is larger than this is no object of a cluster. */
export const MAX_OBJECT_BYTES = 8 * 1024 * 1024;
