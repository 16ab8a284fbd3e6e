import type { KubeContext } from "../../../src/http/kubectl/kube-context.ts";
import {
  type KubeListOptions,
  type KubePath,
  readListOptions,
  readPath,
} from "../../../src/http/kubectl/kube-request.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { clusterNamed } from "../facts/names.ts";

/** A reader of everything in cluster "east", in 2026. */
export function kubeContextOver(ports: QueryPorts): KubeContext {
  const now = Date.parse("2026-01-02T00:00:00Z");
  return { ports, scope: "everything", reader: "me", cluster: clusterNamed("east"), now, most: 1_000 };
}

export function kubePath(text: string): KubePath {
  const read = readPath(text);
  if (read.outcome === "refused") throw new Error(read.status.message);
  return read.path;
}

/** The options of a request for a path, such as `limit=3`. */
export function kubeOptions(path: string, query = ""): KubeListOptions {
  const read = readListOptions(new URLSearchParams(query), kubePath(path).resource.plural);
  if (read.outcome === "refused") throw new Error(read.status.message);
  return read.options;
}
