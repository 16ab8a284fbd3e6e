import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { METRIC_FAMILIES } from "../../src/count/metrics/metric-families.ts";
import { createServerMetrics } from "../../src/host/metrics/server-metrics.ts";
import { systemClock } from "../../src/ports/runtime/clock.ts";
import { skipWithout } from "../support/running/skip-without.ts";
import { dashboardQueries } from "./dashboard-queries.ts";

const FOLDER = fileURLToPath(new URL("../../deploy/prometheus/", import.meta.url));
const RULES = readFileSync(`${FOLDER}outlive.rules.yaml`, "utf8");

const OPERATIONS = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");

function promtool(...args: readonly string[]) {
  return spawnSync("promtool", args, { cwd: FOLDER, encoding: "utf8" });
}

const skip = skipWithout(promtool("--version").status === 0, {
  dependency: "promtool",
  untested: "the recording and alerting rules (install the package prometheus)",
});

describe.skipIf(skip)("the rules for Prometheus", () => {
  it("are valid", () => {
    const { status, stdout, stderr } = promtool("check", "rules", "outlive.rules.yaml");
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
  });

  it("fire and resolve as their tests say", () => {
    const { status, stdout, stderr } = promtool("test", "rules", "outlive.rules.test.yaml");
    expect(status, stdout + stderr).toBe(0);
  });
});

const serverText = await createServerMetrics(systemClock, { openStreams: () => 0, databaseFiles: () => [] }).text(
  "prometheus",
);
/** The families of Jobs, and those of the server itself. */
const FAMILIES = [
  ...METRIC_FAMILIES,
  ...[...serverText.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = "", type]) => ({ name, type })),
];
/** The names that Prometheus stores for the families. */
const NAMES: ReadonlySet<string> = new Set(
  FAMILIES.flatMap(({ name, type }) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);
const RECORDED = new Set([...RULES.matchAll(/record: (\S+)/g)].map(([, name]) => name));

it("a family is either of Jobs or of the server", () => {
  const names = FAMILIES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

it("an alert about the server has a runbook, and every runbook an alert", () => {
  const [, byAlert = ""] = /\n## By alert of Prometheus\n(.*?)\n## /s.exec(OPERATIONS) ?? [];
  const named = [...RULES.matchAll(/"(\w+)" in\s+docs\/operations\.md/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set([...byAlert.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)));
  for (const name of named) expect(RULES).toContain(`- alert: ${name}\n`);
});

describe("every metric in", () => {
  it.each([["the rules", RULES] as const, ...dashboardQueries])("%s exists", (_, text) => {
    for (const [name] of text.matchAll(/\b(?:outlive|process|nodejs)_\w+/g)) expect(NAMES).toContain(name);
    for (const [name] of text.matchAll(/\boutlive:[\w:]+/g)) expect(RECORDED).toContain(name);
  });
});
