import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { skipWithout } from "./skip-without.ts";

/** The folder of a chart of this repository. */
export function chartFolder(name: "outlive" | "outlive-exporter"): string {
  return join(import.meta.dirname, "../../../deploy/charts", name);
}

/** Whether tests of a chart are skipped. */
export function skipWithoutHelm(untested: string): boolean {
  return skipWithout(spawnSync("helm", ["version"]).status === 0, { dependency: "helm", untested });
}

/** Renders a chart as helm would for this version of Kubernetes, without access to a cluster. */
export function renderChart(name: Parameters<typeof chartFolder>[0], ...options: readonly string[]) {
  const args = ["template", name, chartFolder(name), "-n", "outlive", "--kube-version", "1.36.0", ...options];
  return spawnSync("helm", args, { encoding: "utf8" });
}

export interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly rules?: unknown;
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
}

/** The objects of a rendered chart. Throws helm's message if it refuses to render. */
export function manifestsOf(...args: Parameters<typeof renderChart>): readonly Manifest[] {
  const { stdout, stderr, status } = renderChart(...args);
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
}
