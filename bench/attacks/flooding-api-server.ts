// A thread with an API server that sends changes of Jobs as fast as they are read. Posts the path of its kubeconfig.
import { mkdtempSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { kubeconfigFor } from "../exporter/kubeconfig-for.ts";
import { startEmptyApiServer } from "../measuring/empty-api-server.ts";
import { post } from "./post.ts";

const JOBS = 20_000;
const CHANGES_AT_ONCE = 50;
let resourceVersion = 100;

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

const port = await startEmptyApiServer((kind, response) => {
  if (kind === "Job") flood(response);
});
const file = join(mkdtempSync(join(tmpdir(), "outlive-flood-")), "kubeconfig");
writeFileSync(file, JSON.stringify(kubeconfigFor(port)));
post(parentPort, file);
