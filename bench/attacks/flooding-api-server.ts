// A thread with an API server that sends changes of Jobs as fast as they are read. Posts the path of its kubeconfig.
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";

const JOBS = 20_000;
const CHANGES_AT_ONCE = 50;
const KINDS: Readonly<Record<string, string>> = {
  jobs: "Job",
  pods: "Pod",
  cronjobs: "CronJob",
  nodes: "Node",
  events: "Event",
};

let resourceVersion = 100;

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const resource = pathname.slice(pathname.lastIndexOf("/") + 1);
  response.setHeader("content-type", "application/json");
  if (resource === "version") return answer(response, { gitVersion: "v1.36.0" });
  if (resource === "kube-system") {
    return answer(response, { kind: "Namespace", metadata: { uid: "k", name: resource } });
  }
  if (searchParams.has("sendInitialEvents")) {
    response.statusCode = 422;
    return answer(response, { kind: "Status", message: "not supported" });
  }
  const kind = KINDS[resource] ?? "Unknown";
  const metadata = { resourceVersion: String(resourceVersion) };
  if (!searchParams.has("watch")) return answer(response, { kind: `${kind}List`, metadata, items: [] });
  response.write(`${JSON.stringify({ type: "BOOKMARK", object: { kind, metadata } })}\n`);
  if (resource === "jobs") flood(response);
});

function answer(response: ServerResponse, body: unknown): void {
  response.end(JSON.stringify(body));
}

function flood(response: ServerResponse): void {
  while (!response.destroyed) {
    const lines = Array.from(
      { length: CHANGES_AT_ONCE },
      () => `${JSON.stringify({ type: "ADDED", object: job() })}\n`,
    );
    if (!response.write(lines.join(""))) {
      response.once("drain", () => flood(response));
      return;
    }
  }
}

function job(): unknown {
  resourceVersion += 1;
  const number = resourceVersion % JOBS;
  const now = new Date().toISOString();
  return {
    kind: "Job",
    apiVersion: "batch/v1",
    metadata: {
      name: `flood-${number}`,
      namespace: "flood",
      uid: `flood-${number}`,
      resourceVersion: String(resourceVersion),
      creationTimestamp: now,
    },
    spec: { parallelism: 1, completions: 1, backoffLimit: 6, template: { spec: { restartPolicy: "Never" } } },
    status: { active: 1, startTime: now, uncountedTerminatedPods: {} },
  };
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const file = join(mkdtempSync(join(tmpdir(), "outlive-flood-")), "kubeconfig");
  const cluster = { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true };
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "flood", cluster }],
      users: [{ name: "flood", user: {} }],
      contexts: [{ name: "flood", context: { cluster: "flood", user: "flood" } }],
      "current-context": "flood",
    }),
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(file);
});
