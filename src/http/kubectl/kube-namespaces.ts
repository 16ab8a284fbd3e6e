import { namespacesOf } from "../../query/clusters/clusters.ts";
import type { KubeContext } from "./kube-context.ts";
import { isSelected } from "./kube-fields.ts";
import type { KubeObject } from "./kube-object.ts";
import type { KubeListOptions, KubePath } from "./kube-request.ts";
import { column, type RowFormat } from "./listing.ts";

/** The namespaces that have Jobs. */
export async function listKubeNamespaces(
  { ports, scope, cluster }: KubeContext,
  path: KubePath,
  options: KubeListOptions,
): Promise<readonly string[]> {
  const all = await namespacesOf(ports.meta, scope, cluster);
  return all.filter((namespace) => isSelected(namespaceObject(namespace), path, options));
}

export const NAMESPACE_FORMAT: RowFormat<string> = {
  columns: [column("Name", (name) => name), column("Status", () => "Active")],
  show: namespaceObject,
};

function namespaceObject(name: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    // kube-apiserver adds this label to every namespace (KEP-2161).
    metadata: { name, creationTimestamp: null, labels: { "kubernetes.io/metadata.name": name } },
    status: { phase: "Active" },
  };
}
