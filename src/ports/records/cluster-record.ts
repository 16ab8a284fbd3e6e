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
