import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import type { QueryPorts } from "../query/ports.ts";
import type { Scope } from "../query/access/scope.ts";

/** Who asks, and of which cluster. */
export interface KubeContext {
  readonly ports: QueryPorts;
  readonly scope: Scope;
  readonly cluster: ClusterName;
  readonly now: Instant;
  /** The most objects of an answer to a list without a limit: an answer is made in memory, and what API Gateway passes on is 10 MB at most. */
  readonly most: number;
}
