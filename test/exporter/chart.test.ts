import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { CLUSTER_RULES, LEASE_RULES } from "../../bench/fault-run/exporter-role.ts";
import { skipWithout } from "../support/running/skip-without.ts";

const helm = "helm";
const chart = join(import.meta.dirname, "../../exporter/chart");
const hasHelm = spawnSync(helm, ["version"]).status === 0;
const withoutHelm = skipWithout(hasHelm, { dependency: "helm", untested: "the exporter's chart" });

const needed = ["queueUrl=https://sqs.eu-central-1.amazonaws.com/1/q", "cluster=prod"];

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: unknown;
  readonly spec?: unknown;
}

function run(...settings: readonly string[]) {
  const set = settings.flatMap((setting) => ["--set", setting]);
  return spawnSync(helm, ["template", "outlive-exporter", chart, "-n", "outlive", "--kube-version", "1.36.0", ...set], {
    encoding: "utf8",
  });
}

function rendered(...settings: readonly string[]): readonly Manifest[] {
  const { stdout, stderr, status } = run(...needed, ...settings);
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
}

function one(kind: string, manifests: readonly Manifest[]): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind);
  if (found === undefined) throw new Error(`The chart renders no ${kind}.`);
  return found;
}

describe.skipIf(withoutHelm)("the exporter's chart", () => {
  it("passes helm's linter", () => {
    const set = needed.flatMap((setting) => ["--set", setting]);
    expect(() => execFileSync(helm, ["lint", "--strict", chart, ...set], { stdio: "pipe" })).not.toThrow();
  });

  it("grants reading of five resources and of the cluster's identity, and nothing else", () => {
    const manifests = rendered();
    expect(one("ClusterRole", manifests).rules).toEqual(CLUSTER_RULES);
    expect(manifests.filter(({ kind }) => kind.endsWith("Role")).map(({ kind }) => kind)).toEqual([
      "ClusterRole",
      "Role",
    ]);
  });

  it("grants writing of its own Lease, and nothing else", () => {
    expect(one("Role", rendered()).rules).toEqual(LEASE_RULES);
  });

  it("runs two replicas without privileges on a root that cannot be written", () => {
    expect(one("Deployment", rendered()).spec).toMatchObject({
      replicas: 2,
      template: {
        spec: {
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          containers: [
            {
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ["ALL"] },
              },
              livenessProbe: { httpGet: { path: "/healthz" } },
              readinessProbe: { httpGet: { path: "/readyz" } },
            },
          ],
        },
      },
    });
  });

  it("bounds the spool below the volume, for which the kubelet would evict the Pod", () => {
    const text = JSON.stringify(one("Deployment", rendered("spool.sizeLimit=200Mi")));
    expect(text).toContain('{"name":"OUTLIVE_SPOOL_BYTES","value":"199229440"}');
    expect(text).toContain('"emptyDir":{"sizeLimit":"200Mi"}');
  });

  it("lets no more than one replica go at once, and lets only what it needs in and out", () => {
    const manifests = rendered();
    expect(one("PodDisruptionBudget", manifests).spec).toMatchObject({ maxUnavailable: 1 });
    expect(one("NetworkPolicy", manifests).spec).toMatchObject({ policyTypes: ["Ingress", "Egress"] });
  });

  it.each([
    ["a ServiceMonitor", "metrics.serviceMonitor.enabled=true", "ServiceMonitor"],
    ["no PodDisruptionBudget for one replica", "replicas=1", undefined],
  ])("renders %s where it is asked for", (_, setting, kind) => {
    const kinds = rendered(setting).map((manifest) => manifest.kind);
    if (kind === undefined) expect(kinds).not.toContain("PodDisruptionBudget");
    else expect(kinds).toContain(kind);
  });

  it("puts the role of IRSA on the service account", () => {
    const [account] = rendered(
      String.raw`serviceAccount.annotations.eks\.amazonaws\.com/role-arn=arn:aws:iam::1:role/outlive`,
    ).filter(({ kind }) => kind === "ServiceAccount");
    expect(account?.metadata).toMatchObject({
      annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/outlive" },
    });
  });

  it.each([
    ["without a queue", ["cluster=prod"], /queueUrl/],
    ["without a cluster", ["queueUrl=https://q"], /cluster/],
    ["with a name that is no cluster's", ["queueUrl=https://q", "cluster=a#b"], /cluster/],
    ["with a value that it does not know", [...needed, "replcias=3"], /replcias/],
    ["with a spool without bounds", [...needed, "spool.sizeLimit=lots"], /sizeLimit/],
  ])("is refused %s", (_, settings, reason) => {
    const { status, stderr } = run(...settings);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(reason);
  });
});
