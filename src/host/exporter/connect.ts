import { CommandFailure } from "../command-line/command-failure.ts";
import type { ClusterConnection } from "../../kubernetes/connection/cluster-connection.ts";
import { KubeconfigError } from "../../kubernetes/connection/connection-error.ts";
import { type ClusterSource, openKubeconfig } from "../../kubernetes/connection/kubeconfig-connection.ts";

/** Opens a connection to the cluster. Throws CommandFailure where the kubeconfig is unusable. */
export function connect(source: ClusterSource): ClusterConnection {
  try {
    return openKubeconfig(source);
  } catch (cause) {
    if (cause instanceof KubeconfigError) throw new CommandFailure(2, cause.message, { cause });
    throw cause;
  }
}

export function sourceOf(file: string | undefined, context: string | undefined): ClusterSource {
  const chosen = context === undefined ? {} : { context };
  return file === undefined ? { kind: "default", ...chosen } : { kind: "kubeconfig", file, ...chosen };
}
