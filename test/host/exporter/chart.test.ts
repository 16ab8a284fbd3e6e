import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { CHART_NODE_OPTIONS } from "../../../bench/exporter/chart-node-options.ts";
import { CLUSTER_RULES, LEASE_RULES } from "../../../bench/fault-run/exporter-role.ts";
import { skipWithout } from "../../support/running/skip-without.ts";

const helm = "helm";
const chart = join(import.meta.dirname, "../../../deploy/charts/outlive-exporter");
const hasHelm = spawnSync(helm, ["version"]).status === 0;
const withoutHelm = skipWithout(hasHelm, { dependency: "helm", untested: "the exporter's chart" });

const image = "image.repository=registry.example.org/outlive";
const needed = ["queueUrl=https://sqs.eu-central-1.amazonaws.com/1/q", "cluster=prod", image];
const webhook = ["audit.webhook.enabled=true", "audit.webhook.apiServerCidrs={10.0.0.1/32}"];
const token = "audit.webhook.tokenSecret=audit-token";
const tls = "audit.webhook.tls.secret=audit-cert";
const clientCa = "audit.webhook.tls.clientCaSecret=audit-ca";

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: unknown;
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
}

/** A variable of a Pod from the key `token` of a Secret. */
const secretOf = (name: string, secret: string) => ({
  name,
  valueFrom: { secretKeyRef: { name: secret, key: "token" } },
});

/** Names are texts, also if they look like other values of YAML. */
function optionOf(setting: string): string {
  return /^\w+(\.\w+)*(Secret|\.secret|Name|\.name)=/i.test(setting) ? "--set-string" : "--set";
}

function run(...settings: readonly string[]) {
  const set = settings.flatMap((setting) => [optionOf(setting), setting]);
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

interface Pod {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly volumes: readonly { readonly secret?: { readonly secretName: string } }[];
}

/** What the one container of the Deployment gets. */
function podOf(manifests: readonly Manifest[]): Pod {
  const { template } = one("Deployment", manifests).spec as {
    readonly template: { readonly spec: { readonly containers: readonly [Pod]; readonly volumes: Pod["volumes"] } };
  };
  return { ...template.spec.containers[0], volumes: template.spec.volumes };
}

describe("the role of the exporter's chart", () => {
  it("reads the watched resources and the cluster's identity, and nothing else", () => {
    const template = readFileSync(join(chart, "templates/rbac.yaml"), "utf8");
    const plain = template.split("\n").filter((line) => !line.includes("{{"));
    const [role] = parseAllDocuments(plain.join("\n")).map((document) => document.toJS() as Manifest);
    expect(role).toMatchObject({ kind: "ClusterRole", rules: CLUSTER_RULES });
    expect(role?.rules).toHaveLength(CLUSTER_RULES.length);
  });
});

describe.skipIf(withoutHelm)("the exporter's chart", () => {
  it("passes helm's linter", () => {
    const set = needed.flatMap((setting) => ["--set", setting]);
    expect(() => execFileSync(helm, ["lint", "--strict", chart, ...set], { stdio: "pipe" })).not.toThrow();
  });

  it("has one ClusterRole and one Role", () => {
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

  it("runs the command `export` of the image", () => {
    expect(one("Deployment", rendered()).spec).toMatchObject({
      template: { spec: { containers: [{ args: ["export"] }] } },
    });
  });

  it.each([
    ["the default, which the benchmarks use", [], CHART_NODE_OPTIONS],
    ["a higher limit", ["resources.limits.memory=1Gi"], "--max-old-space-size=848 --max-semi-space-size=2"],
    ["no limit", ["resources.limits=null"], CHART_NODE_OPTIONS],
    ["options of the user", ["extraEnv[0].name=NODE_OPTIONS", "extraEnv[0].value=--use-system-ca"], "--use-system-ca"],
  ])("bounds Node's heap by the memory limit: %s", (_, settings, expected) => {
    const { env } = podOf(rendered(...settings));
    expect(env.filter(({ name }) => name === "NODE_OPTIONS")).toEqual([{ name: "NODE_OPTIONS", value: expected }]);
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
    ["its version", [], "registry.example.org/outlive:0.1.0"],
    ["a tag", ["image.tag=1.2.3"], "registry.example.org/outlive:1.2.3"],
    [
      "a digest, whatever the tag",
      ["image.tag=1.2.3", `image.digest=sha256:${"a".repeat(64)}`],
      `registry.example.org/outlive@sha256:${"a".repeat(64)}`,
    ],
  ])("runs the image of %s", (_, settings, expected) => {
    expect(one("Deployment", rendered(...settings)).spec).toMatchObject({
      template: { spec: { containers: [{ image: expected }] } },
    });
  });

  it.each([
    ["a token", [token], ["OUTLIVE_AUDIT_WEBHOOK_TOKEN"], []],
    [
      "client certificates",
      [tls, clientCa, "audit.webhook.tls.clientName=kube-apiserver"],
      [
        "OUTLIVE_AUDIT_WEBHOOK_CERT",
        "OUTLIVE_AUDIT_WEBHOOK_KEY",
        "OUTLIVE_AUDIT_WEBHOOK_CLIENT_CA",
        "OUTLIVE_AUDIT_WEBHOOK_CLIENT_NAME",
      ],
      ["audit-cert", "audit-ca"],
    ],
    [
      "a token over HTTPS",
      [token, tls],
      ["OUTLIVE_AUDIT_WEBHOOK_TOKEN", "OUTLIVE_AUDIT_WEBHOOK_CERT", "OUTLIVE_AUDIT_WEBHOOK_KEY"],
      ["audit-cert"],
    ],
  ])("authenticates audit batches with %s", (_, settings, variables, secrets) => {
    const { env, volumeMounts, volumes } = podOf(rendered(...webhook, ...settings));
    const names = env.map(({ name }) => name).filter((name) => name.startsWith("OUTLIVE_AUDIT_WEBHOOK_"));
    expect(names).toEqual(variables);
    expect(volumes.flatMap(({ secret }) => secret?.secretName ?? [])).toEqual(secrets);
    const mounted = volumeMounts.map(({ mountPath }) => mountPath).filter((path) => path.startsWith("/etc/"));
    expect(mounted).toHaveLength(secrets.length);
    const files = env.flatMap(({ value }) => (value?.startsWith("/etc/") === true ? value : []));
    expect(files.filter((file) => !mounted.some((path) => file.startsWith(`${path}/`)))).toEqual([]);
  });

  it("mounts the kinds of the users, and starts again when they change", () => {
    const manifests = rendered("kinds[0].kind=Sweep", "kinds[0].when={acme.io/sweep}");
    const { data } = one("ConfigMap", manifests);
    expect(JSON.parse(data?.["kinds.json"] ?? "")).toEqual([{ kind: "Sweep", when: ["acme.io/sweep"] }]);
    const { env, volumeMounts, volumes } = podOf(manifests);
    expect(env).toContainEqual({ name: "OUTLIVE_KINDS", value: "/etc/outlive/kinds/kinds.json" });
    expect(volumeMounts).toContainEqual({ name: "kinds", mountPath: "/etc/outlive/kinds", readOnly: true });
    expect(volumes).toContainEqual({ name: "kinds", configMap: { name: "outlive-exporter-kinds" } });
    expect(JSON.stringify(manifests)).toMatch(/"checksum\/kinds":"[0-9a-f]{64}"/);
    expect(rendered().map(({ kind }) => kind)).not.toContain("ConfigMap");
  });

  it("admits audit batches from the API servers only, and requests for metrics from the peers that are set", () => {
    const from = ["networkPolicy.metricsFrom[0].namespaceSelector.matchLabels.name=monitoring"];
    expect(one("NetworkPolicy", rendered(...webhook, token, ...from)).spec).toMatchObject({
      ingress: [
        { from: [{ namespaceSelector: { matchLabels: { name: "monitoring" } } }], ports: [{ port: 9090 }] },
        { from: [{ ipBlock: { cidr: "10.0.0.1/32" } }], ports: [{ port: 8443 }] },
      ],
    });
  });

  it("keeps names as texts, also if they look like other values of YAML", () => {
    const names = {
      credentialsSecret: "123",
      "tracker.tokenSecret": "true",
      "audit.webhook.tokenSecret": "1e3",
      "audit.webhook.tls.secret": "null",
      priorityClassName: "0x1",
      "serviceAccount.name": "1.5",
    };
    const texts = Object.entries(names).map(([name, text]) => `${name}=${text}`);
    const manifests = rendered(...webhook, ...texts);
    const { env, volumes } = podOf(manifests);
    expect(env).toContainEqual(secretOf("OUTLIVE_TOKEN", "true"));
    expect(env).toContainEqual(secretOf("OUTLIVE_AUDIT_WEBHOOK_TOKEN", "1e3"));
    expect(volumes).toContainEqual({ name: "audit-tls", secret: { secretName: "null" } });
    expect(one("Deployment", manifests).spec).toMatchObject({
      template: {
        spec: {
          priorityClassName: "0x1",
          serviceAccountName: "1.5",
          containers: [{ envFrom: [{ secretRef: { name: "123" } }] }],
        },
      },
    });
    expect(one("ServiceAccount", manifests).metadata).toMatchObject({ name: "1.5" });
  });

  it.each([
    ["without a queue", ["cluster=prod", image], /queueUrl/],
    ["without a cluster", ["queueUrl=https://q", image], /cluster/],
    ["without an image", needed.slice(0, 2), /image\.repository/],
    ["with a digest that is none", [...needed, "image.digest=latest"], /digest/],
    ["with a name that is no cluster's", ["queueUrl=https://q", "cluster=a#b", image], /cluster/],
    ["with a webhook that anybody may call", [...needed, ...webhook], /tokenSecret or tls\.clientCaSecret/],
    ["with HTTPS that does not authenticate", [...needed, ...webhook, tls], /tokenSecret or tls\.clientCaSecret/],
    ["with client certificates without HTTPS", [...needed, ...webhook, clientCa], /needs tls\.secret/],
    [
      "with a client's name that nothing verifies",
      [...needed, ...webhook, token, "audit.webhook.tls.clientName=a"],
      /needs tls\.clientCaSecret/,
    ],
    ["with a webhook for unknown addresses", [...needed, "audit.webhook.enabled=true", token], /apiServerCidrs/],
    [
      "with a webhook for all addresses",
      [...needed, "audit.webhook.enabled=true", token, "audit.webhook.apiServerCidrs={0.0.0.0/0}"],
      /apiServerCidrs/,
    ],
    ["with a tag in the name of the image", [...needed, "image.repository=r.example.org/outlive:1.0"], /repository/],
    ["with a priority class of two lines", [...needed, "priorityClassName=a\n  hostPID: true"], /priorityClassName/],
    ["with a Secret of two lines", [...needed, "credentialsSecret=a\nb: c"], /credentialsSecret/],
    ["with a value that it does not know", [...needed, "replcias=3"], /replcias/],
    ["with a memory limit in other units", [...needed, "resources.limits.memory=1e9"], /memory/],
    ["with a spool without bounds", [...needed, "spool.sizeLimit=lots"], /sizeLimit/],
  ])("is refused %s", (_, settings, reason) => {
    const { status, stderr } = run(...settings);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(reason);
  });
});
