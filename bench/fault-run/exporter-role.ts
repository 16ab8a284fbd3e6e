import type { ApiClient } from "./api-client.ts";

/** What the chart's templates grant, to the user `exporter` of the cluster under test. test/exporter holds both equal. */
export const CLUSTER_RULES = [
  { apiGroups: [""], resources: ["pods", "nodes", "events"], verbs: ["get", "list", "watch"] },
  { apiGroups: ["batch"], resources: ["jobs", "cronjobs"], verbs: ["get", "list", "watch"] },
  { apiGroups: [""], resources: ["namespaces"], resourceNames: ["kube-system"], verbs: ["get"] },
] as const;
export const LEASE_RULES = [
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
  {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    resourceNames: ["outlive-exporter"],
    verbs: ["get", "update"],
  },
] as const;

const SUBJECTS = [{ kind: "User", name: "exporter", apiGroup: "rbac.authorization.k8s.io" }];
const RBAC = "/apis/rbac.authorization.k8s.io/v1";

export async function bindExporterRole(api: ApiClient, namespace: string): Promise<void> {
  const metadata = { name: "outlive-exporter" };
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const refTo = (kind: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name: metadata.name });
  const inNamespace = `${RBAC}/namespaces/${namespace}`;
  await api("POST", `${RBAC}/clusterroles`, { apiVersion, kind: "ClusterRole", metadata, rules: CLUSTER_RULES });
  await api("POST", `${RBAC}/clusterrolebindings`, {
    apiVersion,
    kind: "ClusterRoleBinding",
    metadata,
    subjects: SUBJECTS,
    roleRef: refTo("ClusterRole"),
  });
  await api("POST", `${inNamespace}/roles`, { apiVersion, kind: "Role", metadata, rules: LEASE_RULES });
  await api("POST", `${inNamespace}/rolebindings`, {
    apiVersion,
    kind: "RoleBinding",
    metadata,
    subjects: SUBJECTS,
    roleRef: refTo("Role"),
  });
}
