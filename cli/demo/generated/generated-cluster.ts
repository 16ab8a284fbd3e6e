import { drawn } from "./drawn.ts";
import type { JobTemplate, PodEnd } from "./job-objects.ts";

export const EU = "generated-eu";
export const US = "generated-us";
export const EU_NODES = ["eu-node-1", "eu-node-2", "eu-node-3", "eu-node-4"];
export const US_NODES = ["us-node-1", "us-node-2"];

export function euTemplate(namespace: string, team: string, app: string): JobTemplate {
  return {
    cluster: EU,
    namespace,
    labels: { app, team },
    image: `registry.example.com/${namespace}/${app}:4.2.0`,
    cpu: "500m",
    memory: "512Mi",
    backoffLimit: 2,
  };
}

export function nodeFor(name: string, nodes: readonly string[]): string {
  return nodes[Math.floor(drawn(`node ${name}`) * nodes.length)] ?? "";
}

export const OUT_OF_MEMORY: PodEnd = { phase: "Failed", exitCode: 137, reason: "OOMKilled" };
