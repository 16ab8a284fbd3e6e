import type { ClusterName } from "../../job/ids.ts";
import type { Instant } from "../../job/instant.ts";
import type { QueryPorts } from "../../query/ports.ts";
import type { Scope } from "../../query/scope.ts";

/** Who asks, and of which cluster. */
export interface KubeContext {
  readonly ports: QueryPorts;
  readonly scope: Scope;
  readonly cluster: ClusterName;
  readonly now: Instant;
}
