/**
 * The cluster of the probes of `outlive doctor`. Any principal that can send to the queue may send for it. Lists omit
 * it, and no real cluster can be registered under this name.
 */
export const PROBE_CLUSTER = "outlive-doctor";
