import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CLUSTER_RULES } from "../../../bench/fault-run/exporter-role.ts";
import { chartFolder, type Manifest, manifestsOf, renderChart, skipWithoutHelm } from "../../support/running/helm.ts";

const chart = chartFolder("outlive");
const deploy = join(import.meta.dirname, "../../../deploy");
const withoutHelm = skipWithoutHelm("the chart of the tracker");
const image = ["--set", "image.repository=registry.example.org/outlive"];
const everything = ["-f", join(import.meta.dirname, "outlive-everything.yaml")];

const settings = (...values: readonly string[]) => values.flatMap((value) => ["--set", value]);
const rendered = (...values: readonly string[]) => manifestsOf("outlive", ...image, ...settings(...values));

function one(kind: string, manifests: readonly Manifest[], ending = ""): Manifest {
  const found = manifests.find(({ kind: is, metadata }) => is === kind && metadata.name.endsWith(ending));
  if (found === undefined) throw new Error(`The chart renders no ${kind}.`);
  return found;
}

interface Container {
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface PodSpec {
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string }[];
}

const podOf = (spec: unknown): PodSpec => (spec as { readonly template: { readonly spec: PodSpec } }).template.spec;
const trackerOf = (manifests: readonly Manifest[]) => podOf(one("StatefulSet", manifests).spec);
const backupOf = (manifests: readonly Manifest[]) =>
  podOf((one("CronJob", manifests).spec as { readonly jobTemplate: { readonly spec: unknown } }).jobTemplate.spec);

/** All Pods of a rendering: those of the server, the backup and the test. */
function podsOf(manifests: readonly Manifest[]): readonly PodSpec[] {
  return [trackerOf(manifests), backupOf(manifests), one("Pod", manifests).spec as PodSpec];
}

const envOf = ({ containers: [{ env = [] }] }: PodSpec) =>
  Object.fromEntries(env.map(({ name, value }) => [name, value]));

describe.skipIf(withoutHelm)("the chart of the tracker", () => {
  it("passes helm's linter without a value, and with all of them", () => {
    for (const values of [[], image, everything]) {
      expect(() => execFileSync("helm", ["lint", "--strict", chart, ...values], { stdio: "pipe" })).not.toThrow();
    }
  });

  it("needs no value but the address of the image", () => {
    const kinds = rendered().map(({ kind }) => kind);
    expect(kinds.sort()).toEqual([
      "ClusterRole",
      "ClusterRoleBinding",
      "NetworkPolicy",
      "Pod",
      "Secret",
      "Service",
      "ServiceAccount",
      "StatefulSet",
    ]);
  });

  it("reads the watched resources and the cluster's identity, and writes nothing", () => {
    expect(one("ClusterRole", rendered()).rules).toEqual(CLUSTER_RULES);
  });

  it("runs one process, whose data is on a claim of the StatefulSet", () => {
    const { spec } = one("StatefulSet", rendered("storage.size=50Gi", "storage.storageClassName=fast"));
    expect(spec).toMatchObject({
      replicas: 1,
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: { storageClassName: "fast", resources: { requests: { storage: "50Gi" } } },
        },
      ],
    });
  });

  it("runs every Pod without privileges on a root that cannot be written", () => {
    for (const pod of podsOf(manifestsOf("outlive", ...everything))) {
      expect(pod).toMatchObject({
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65_532,
          fsGroup: 65_532,
          seccompProfile: { type: "RuntimeDefault" },
        },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ["ALL"] },
            },
          },
        ],
      });
    }
  });

  it("gives only the server credentials of the cluster", () => {
    const [tracker, ...others] = podsOf(rendered("backup.enabled=true"));
    expect(tracker).not.toHaveProperty("automountServiceAccountToken");
    for (const pod of others) expect(pod).toMatchObject({ automountServiceAccountToken: false });
  });

  it("restarts the process only if it does not answer, and takes it out of service if it cannot write", () => {
    expect(trackerOf(rendered()).containers[0]).toMatchObject({
      startupProbe: { httpGet: { path: "/v1/healthz" } },
      livenessProbe: { httpGet: { path: "/v1/healthz" } },
      readinessProbe: { httpGet: { path: "/v1/readyz" } },
    });
  });

  it("mounts each file that its arguments and its environment name", () => {
    for (const pod of podsOf(manifestsOf("outlive", ...everything))) {
      const [{ args, env = [], volumeMounts }] = pod.containers;
      const texts = [...args, ...env.map(({ value = "" }) => value)];
      const files = texts.map((text) => text.replace(/^--[\w-]+=/, "")).filter((text) => text.startsWith("/"));
      const mounted = volumeMounts.map(({ mountPath }) => mountPath);
      expect(files.filter((file) => !mounted.some((path) => file.startsWith(path)))).toEqual([]);
      expect(pod.volumes.map(({ name }) => name).concat("data")).toEqual(
        expect.arrayContaining(volumeMounts.map(({ name }) => name)),
      );
    }
  });
});

describe.skipIf(withoutHelm)("the token of the tracker's chart", () => {
  it("is generated, long, and kept", () => {
    const { metadata, data } = one("Secret", rendered());
    expect(Buffer.from(data?.["token"] ?? "", "base64").toString()).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(metadata.annotations).toEqual({ "helm.sh/resource-policy": "keep" });
  });

  it("is that of an existing Secret, for every Pod and for Prometheus", () => {
    const own = ["token.existingSecret=mine", "backup.enabled=true", "metrics.serviceMonitor.enabled=true"];
    const manifests = rendered(...own);
    expect(manifests.map(({ kind }) => kind)).not.toContain("Secret");
    for (const { volumes } of podsOf(manifests)) {
      expect(volumes.find(({ name }) => name === "token")).toMatchObject({ secret: { secretName: "mine" } });
    }
    expect(one("ServiceMonitor", manifests).spec).toMatchObject({
      endpoints: [{ path: "/metrics", authorization: { credentials: { name: "mine", key: "token" } } }],
    });
  });
});

describe.skipIf(withoutHelm)("the settings of the tracker's chart", () => {
  it("become those of the server", () => {
    expect(envOf(trackerOf(manifestsOf("outlive", ...everything)))).toMatchObject({
      OUTLIVE_CLUSTER: "kubernetes",
      OUTLIVE_OIDC_ISSUER: "https://issuer.example.org",
      OUTLIVE_OIDC_AUDIENCE: "outlive",
      OUTLIVE_OIDC_GROUP_GRANTS: '{"sre":["*"]}',
      OUTLIVE_RETENTION: "36h",
      OUTLIVE_ARCHIVE: "s3://bucket/archive",
      OUTLIVE_EVENT_REASONS: "Killing",
      OUTLIVE_INCLUDE_MESSAGES: "true",
      OUTLIVE_INCLUDE_NAMES: "true",
      OUTLIVE_RULES: "/etc/outlive/files/rules.json",
      OUTLIVE_OTLP: "http://otel-collector.observability:4318",
    });
  });

  it.each([
    ["http://otel-collector:4318", 4318],
    ["https://otlp.example.org/otlp", 443],
    ["http://otlp.example.org", 80],
  ])("open the port of the collector %s", (otlp, port) => {
    const { spec } = one("NetworkPolicy", rendered(`otlp=${otlp}`));
    expect((spec as { readonly egress: readonly unknown[] }).egress).toContainEqual({
      ports: [{ protocol: "TCP", port }],
    });
  });

  it("set nothing that is not wanted", () => {
    expect(Object.keys(envOf(trackerOf(rendered())))).toEqual(["OUTLIVE_CLUSTER"]);
  });

  it("are texts in every object, also if they look like other values of YAML", () => {
    const names = {
      "token.existingSecret": "true",
      environmentSecret: "123",
      priorityClassName: "null",
      "serviceAccount.name": "1e3",
      "storage.storageClassName": "007",
      "backup.storage.storageClassName": "0x1",
      "ingress.className": "on",
      "ingress.host": "*.example.org",
      "ingress.tlsSecret": "1.5",
      "networkPolicy.dns.namespace": "456",
    };
    const texts = Object.entries(names).flatMap(([name, text]) => ["--set-string", `${name}=${text}`]);
    const parts = settings("backup.enabled=true", "ingress.enabled=true", "metrics.serviceMonitor.enabled=true");
    const manifests = manifestsOf("outlive", ...image, ...parts, ...texts, "-n", "789");
    const [tracker, backup, test] = podsOf(manifests);
    for (const pod of [tracker, backup]) {
      expect(pod).toMatchObject({
        serviceAccountName: "1e3",
        containers: [{ envFrom: [{ secretRef: { name: "123" } }] }],
      });
    }
    for (const pod of [tracker, backup, test]) {
      expect(pod?.volumes).toContainEqual(
        expect.objectContaining({ secret: expect.objectContaining({ secretName: "true" }) as object }),
      );
    }
    expect(tracker).toMatchObject({ priorityClassName: "null" });
    expect(one("Ingress", manifests).spec).toMatchObject({
      ingressClassName: "on",
      rules: [{ host: "*.example.org" }],
      tls: [{ hosts: ["*.example.org"], secretName: "1.5" }],
    });
    expect(one("StatefulSet", manifests).spec).toMatchObject({
      volumeClaimTemplates: [{ spec: { storageClassName: "007" } }],
    });
    expect(one("PersistentVolumeClaim", manifests).spec).toMatchObject({ storageClassName: "0x1" });
    expect(one("ServiceMonitor", manifests).spec).toMatchObject({
      endpoints: [{ authorization: { credentials: { name: "true" } } }],
    });
    expect(one("ServiceAccount", manifests).metadata).toMatchObject({ name: "1e3", namespace: "789" });
    expect(JSON.stringify(one("NetworkPolicy", manifests))).toContain('"kubernetes.io/metadata.name":"456"');
  });

  it("restart the server when a file changes", () => {
    const checksum = (...values: readonly string[]) =>
      /"checksum\/files":"([0-9a-f]{64})"/.exec(JSON.stringify(rendered(...values)))?.[1];
    const kinds = ["kinds[0].kind=Sweep", "kinds[0].when={acme.io/sweep}"];
    expect(checksum()).toBeUndefined();
    expect(checksum(...kinds)).not.toBe(checksum(...kinds, "logLinks[0].name=a", "logLinks[0].url=https://a"));
    const { data } = one("ConfigMap", rendered(...kinds));
    expect(JSON.parse(data?.["kinds.json"] ?? "")).toEqual([{ kind: "Sweep", when: ["acme.io/sweep"] }]);
  });

  it.each([
    ["without an image", [], /image\.repository/],
    ["with a value that it does not know", [...image, ...settings("replcias=3")], /replcias/],
    ["with an unknown value of a group", [...image, ...settings("backup.shedule=daily")], /shedule/],
    ["with a digest that is none", [...image, ...settings("image.digest=latest")], /digest/],
    ["with an issuer without an audience", [...image, ...settings("oidc.issuer=https://i")], /oidc\.audiences/],
    ["with an issuer without encryption", [...image, ...settings("oidc.issuer=http://i")], /issuer/],
    ["with an Ingress without a name", [...image, ...settings("ingress.enabled=true")], /ingress\.host/],
    ["with a bucket that is none", [...image, ...settings("archive=bucket/x")], /archive/],
    ["with a tag in the name of the image", settings("image.repository=r.example.org/outlive:1.0"), /repository/],
    ["with a priority class of two lines", [...image, ...settings("priorityClassName=a\n  hostPID: true")], /priority/],
    ["with a Secret of two lines", [...image, ...settings("environmentSecret=a\nb: c")], /environmentSecret/],
    ["with a host that is none", [...image, ...settings("ingress.host=https://jobs")], /host/],
    ["with an address that is none", [...image, ...settings("networkPolicy.dns.cidrs={a: b}")], /cidrs/],
    ["with a retention that is none", [...image, ...settings("retention=soon")], /retention/],
  ])("are refused %s", (_, options, reason) => {
    const { status, stderr } = renderChart("outlive", ...options);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(reason);
  });
});

describe.skipIf(withoutHelm)("the backup of the tracker's chart", () => {
  it("asks the server, so that it needs neither its volume nor its node", () => {
    const manifests = rendered("backup.enabled=true");
    const { containers, volumes } = backupOf(manifests);
    expect(containers[0].args).toEqual([
      "backup",
      "/backups/",
      "--server=http://outlive:8080",
      "--token-file=/etc/outlive/token/token",
      "--keep=7",
    ]);
    const claim = one("PersistentVolumeClaim", manifests).metadata;
    expect(volumes).toContainEqual({ name: "backups", persistentVolumeClaim: { claimName: claim.name } });
    expect(claim.annotations).toEqual({ "helm.sh/resource-policy": "keep" });
    expect(JSON.stringify(backupOf(manifests))).not.toContain("data-outlive");
  });

  it("writes to a bucket from an empty folder", () => {
    const manifests = rendered("backup.enabled=true", "backup.bucket=s3://bucket/outlive");
    const { containers, volumes } = backupOf(manifests);
    expect(containers[0].args[1]).toBe("s3://bucket/outlive");
    expect(containers[0].volumeMounts).toContainEqual({ name: "backups", mountPath: "/tmp" });
    expect(volumes).toContainEqual({ name: "backups", emptyDir: {} });
    expect(manifests.map(({ kind }) => kind)).not.toContain("PersistentVolumeClaim");
  });

  it("is let through by the network policy, whoever else is", () => {
    const manifests = rendered("backup.enabled=true", "networkPolicy.from[0].namespaceSelector.matchLabels.a=b");
    expect(JSON.stringify(one("NetworkPolicy", manifests, "outlive").spec)).toContain('component":"backup"');
    expect(one("NetworkPolicy", manifests, "-backup").spec).toMatchObject({ policyTypes: ["Ingress", "Egress"] });
  });
});

describe.skipIf(withoutHelm)("the monitoring of the tracker's chart", () => {
  const monitoring = ["serviceMonitor", "prometheusRule", "dashboard"].map((part) => `metrics.${part}.enabled=true`);

  it("has the rules of deploy/prometheus", () => {
    const file = readFileSync(join(deploy, "prometheus/outlive.rules.yaml"), "utf8");
    expect(one("PrometheusRule", rendered(...monitoring)).spec).toEqual(parse(file));
  });

  it("has the dashboard of deploy/grafana", () => {
    const { data, metadata } = one("ConfigMap", rendered(...monitoring), "-dashboard");
    expect(data?.["outlive-jobs.json"]).toBe(readFileSync(join(deploy, "grafana/outlive-jobs.json"), "utf8"));
    expect(metadata.labels).toMatchObject({ grafana_dashboard: "1" });
  });
});
