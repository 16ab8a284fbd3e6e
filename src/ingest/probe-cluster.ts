/**
 * The cluster that `outlive doctor` speaks for when it checks that a segment arrives. Whoever can send to the queue may speak for it, nothing lists it unless it
 * is asked for by name, and no cluster of people's may be called so.
 */
export const PROBE_CLUSTER = "outlive-doctor";
