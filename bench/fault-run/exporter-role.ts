import { RESOURCE_KINDS } from "../../src/kubernetes/connection/watched-resource.ts";
import type { ApiClient } from "./api-client.ts";

const READ = ["get", "list", "watch"];

/**
 * The permissions of the chart's templates for user `exporter` of the cluster under test. A test in test/host/exporter
 * compares both.
 */
export const CLUSTER_RULES = [
  { apiGroups: [""], resources: ["pods", "nodes", "namespaces", "events"], verbs: READ },
  { apiGroups: ["batch"], resources: ["jobs", "cronjobs"], verbs: READ },
  ...RESOURCE_KINDS.filter(({ isCustom }) => isCustom).map(({ apiGroup, plural }) => ({
    apiGroups: [apiGroup],
    resources: [plural],
    verbs: READ,
  })),
];
export const LEASE_RULES = [
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
  {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    resourceNames: ["outlive-exporter"],
    verbs: ["get", "update"],
  },
] as const;

const RBAC = "rbac.authorization.k8s.io";
const METADATA = { name: "outlive-exporter" };

export async function bindExporterRole(api: ApiClient, namespace: string): Promise<void> {
  const path = `/apis/${RBAC}/v1`;
  await grant(api, path, { kind: "ClusterRole", rules: CLUSTER_RULES });
  await grant(api, `${path}/namespaces/${namespace}`, { kind: "Role", rules: LEASE_RULES });
}

interface Role {
  readonly kind: "ClusterRole" | "Role";
  readonly rules: readonly unknown[];
}

async function grant(api: ApiClient, path: string, { kind, rules }: Role): Promise<void> {
  const stated = { apiVersion: `${RBAC}/v1`, metadata: METADATA };
  const role = kind.toLowerCase();
  await api("POST", `${path}/${role}s`, { ...stated, kind, rules });
  await api("POST", `${path}/${role}bindings`, {
    ...stated,
    kind: `${kind}Binding`,
    subjects: [{ kind: "User", name: "exporter", apiGroup: RBAC }],
    roleRef: { apiGroup: RBAC, kind, name: METADATA.name },
  });
}
