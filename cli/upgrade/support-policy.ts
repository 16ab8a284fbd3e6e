import manifest from "../../package.json" with { type: "json" };
import { count, list } from "../../src/job/text/sentence.ts";
import { type Check, ok, warning } from "../doctor/check.ts";

/** What this release supports (docs/deploy/support.md). */
export const SUPPORTED = {
  /** The lines of Node that it was tested with. */
  node: [24],
  /** Minor versions of Kubernetes 1: from the oldest whose rules are known to the newest that was run. */
  kubernetes: { oldest: 20, newest: 37 },
} as const;

/** The checks of every target: this program, and the Node that runs it. */
export function runtimeChecks(node = process.versions.node): readonly Check[] {
  return [{ check: "release", ...ok(`This is Outlive ${manifest.version}.`) }, nodeCheck(node)];
}

function nodeCheck(version: string): Check {
  const lines = list(SUPPORTED.node.map(String));
  const isTested = SUPPORTED.node.some((line) => line === Number.parseInt(version, 10));
  const found = isTested
    ? ok(`Node ${version} is supported.`)
    : warning(`Node ${version} is not supported: this release was tested with Node ${lines}. Use that.`);
  return { check: "node", ...found };
}

export interface VersionedCluster {
  readonly name: string;
  /** The version that its API server reports. Absent in recordings. */
  readonly serverVersion?: string | undefined;
}

/** Whether the clusters run versions of Kubernetes that are supported. */
export function kubernetesCheck(clusters: readonly VersionedCluster[]): Check {
  const known = clusters.flatMap(({ name, serverVersion = "" }) => {
    const [, minor] = /^v?1\.(\d+)/.exec(serverVersion) ?? [];
    return minor === undefined ? [] : [{ text: `${name} (${serverVersion})`, minor: Number(minor) }];
  });
  return { check: "kubernetes", ...judge(known, clusters.length) };
}

function judge(known: readonly { readonly text: string; readonly minor: number }[], clusters: number) {
  const { oldest, newest } = SUPPORTED.kubernetes;
  const range = `1.${oldest} to 1.${newest}`;
  if (known.length === 0) {
    return {
      result: "skipped",
      detail: `No cluster has reported its version. Supported: Kubernetes ${range}.`,
    } as const;
  }
  const [older, newer] = [known.filter(({ minor }) => minor < oldest), known.filter(({ minor }) => minor > newest)];
  if (older.length + newer.length === 0) {
    return ok(`${known.length} of ${count(clusters, "cluster")} reported a version, all within Kubernetes ${range}.`);
  }
  const problems = [
    older.length > 0 && `Older than 1.${oldest}, whose rules of Job status are unknown: ${named(older)}.`,
    newer.length > 0 && `Newer than 1.${newest}, the newest that was run: ${named(newer)}.`,
  ];
  return warning(problems.filter((problem) => problem !== false).join(" "));
}

function named(clusters: readonly { readonly text: string }[]): string {
  return list(clusters.map(({ text }) => text));
}
