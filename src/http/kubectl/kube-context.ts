import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { QueryPorts } from "../../query/ports.ts";
import type { Scope } from "../../query/access/scope.ts";
import type { KubeListOptions, KubePath } from "./kube-request.ts";
import type { KubeShape } from "./kube-shape.ts";

/** The reader of a request and the cluster that it is about. */
export interface KubeContext {
  readonly ports: QueryPorts;
  readonly scope: Scope;
  /** Identifies the reader, for limits per reader. */
  readonly reader: string;
  readonly cluster: ClusterName;
  readonly now: Instant;
  /**
   * The most objects in a list without a limit. An answer is built in memory, and API Gateway returns at most 10 MB.
   */
  readonly most: number;
}

/** A parsed request: what to list or watch, for which reader, and in which shape. */
export interface KubeQuestion {
  readonly kubeContext: KubeContext;
  readonly path: KubePath;
  readonly options: KubeListOptions;
  readonly shape: KubeShape;
}
