import * as v from "valibot";
import type { ClusterObserved } from "../../job/model/fact.ts";
import { clusterObserved } from "./cluster-fact-schemas.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `cluster`, by the cluster's name: facts of this cluster were received. */
export interface ClusterRecord {
  /** The latest heartbeat. */
  readonly observed?: ClusterObserved;
  /** The uid of namespace kube-system, which identifies the cluster. */
  readonly kubeSystemUid?: string;
}

export const clusterRecord = recordCodec<ClusterRecord>(
  "cluster",
  v.looseObject({ observed: v.exactOptional(clusterObserved), kubeSystemUid: v.exactOptional(v.string()) }),
);

/**
 * The cluster of the probes of `outlive doctor`. Any principal that can send to the queue may send for it. Lists omit
 * it, and no real cluster can be registered under this name.
 */
export const PROBE_CLUSTER = "outlive-doctor";
