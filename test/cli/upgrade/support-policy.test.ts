import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { kubernetesCheck, runtimeChecks, SUPPORTED } from "../../../cli/upgrade/support-policy.ts";
import { NEWEST_DATABASE_SCHEMA } from "../../../src/adapters/sqlite/database.ts";
import { NEWEST_SCHEMA } from "../../../src/segment/fact-list.ts";

describe("clusters", () => {
  it.each<readonly [string, readonly (string | undefined)[], string, string]>([
    ["of the oldest and newest supported versions", ["v1.20.15", "v1.37.2"], "ok", "2 of 2 clusters"],
    ["of a vendor's version", ["v1.36.3-eks-1234567"], "ok", "1 of 1 cluster reported"],
    [
      "of an older version",
      ["v1.36.3", "v1.19.4"],
      "warning",
      "Older than 1.20, whose rules of Job status are unknown: c1 (v1.19.4).",
    ],
    [
      "of a version that was not run",
      ["v1.38.0"],
      "warning",
      "Newer than 1.37, the newest that was run: c0 (v1.38.0).",
    ],
    ["without a version", [undefined], "skipped", "No cluster has reported its version"],
    ["with another text than a version", ["1.x"], "skipped", "No cluster has reported its version"],
  ])("%s", (_, versions, result, words) => {
    const check = kubernetesCheck(versions.map((serverVersion, index) => ({ name: `c${index}`, serverVersion })));
    expect(check).toMatchObject({ check: "kubernetes", result, detail: expect.stringContaining(words) as string });
  });
});

describe("the Node that runs the command", () => {
  it.each([
    ["24.21.0", "ok"],
    ["25.0.0", "warning"],
  ])("%s: %s", (version, result) => {
    expect(runtimeChecks(version)).toMatchObject([{ check: "release" }, { check: "node", result }]);
  });
});

describe("docs/deploy/support.md", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../docs/deploy/support.md"), "utf8").replaceAll(
    /\s+/g,
    " ",
  );

  it.each([
    `Outlive ${manifest.version}`,
    `Node ${SUPPORTED.node.join(" and ")}`,
    `Kubernetes 1.${SUPPORTED.kubernetes.oldest} to 1.${SUPPORTED.kubernetes.newest}`,
    `| database file | 1 to ${NEWEST_DATABASE_SCHEMA} | ${NEWEST_DATABASE_SCHEMA} |`,
    `| segment | 1 to ${NEWEST_SCHEMA} |`,
  ])("says %s", (words) => {
    expect(text).toContain(words);
  });
});
