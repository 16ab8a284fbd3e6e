import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { skipWithout } from "../support/running/skip-without.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly permissions: Readonly<Record<string, string>>;
  readonly "timeout-minutes": number;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FILE = ".github/workflows/release.yml";
const text = readFileSync(FILE, "utf8");
const workflow = parse(text) as Workflow;
const jobs = Object.entries(workflow.jobs);
const publishing = jobs.filter(([name]) => name !== "build");
const scripts = jobs.flatMap(([, { steps }]) => steps.flatMap(({ run = [] }) => run));
const withoutActionlint = skipWithout(spawnSync("actionlint", ["-version"]).status === 0, {
  dependency: "actionlint",
  untested: "the release workflow by GitHub's rules",
});

/** The permissions of each job. A job that publishes nothing writes nothing. */
const PERMISSIONS: Readonly<Record<string, Job["permissions"]>> = {
  build: { contents: "read" },
  attest: { attestations: "write", "id-token": "write" },
  image: { attestations: "write", "id-token": "write", packages: "write" },
  charts: { "id-token": "write", packages: "write" },
  npm: { "id-token": "write" },
  release: { contents: "write" },
};

function comparesChecksums({ steps }: Job): boolean {
  return steps.some(({ run = "" }) => run.startsWith("sha256sum --check SHA256SUMS"));
}

describe("the release workflow", () => {
  it("runs for tags of versions only", () => {
    expect(workflow.on).toEqual({ push: { tags: ["v*"] } });
  });

  it("pins each action by its commit, and names the version beside it", () => {
    const used = text.split("\n").filter((line) => line.includes("uses:"));
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((line) => !/ uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it("uses one commit of each action", () => {
    const used = jobs.flatMap(([, { steps }]) => steps.flatMap(({ uses = [] }) => uses));
    const names = new Set(used.map((each) => each.split("@")[0]));
    expect(new Set(used).size).toBe(names.size);
  });

  it("grants nothing by default, and each job what it needs", () => {
    expect(workflow.permissions).toEqual({});
    expect(Object.fromEntries(jobs.map(([name, { permissions }]) => [name, permissions]))).toEqual(PERMISSIONS);
  });

  it("publishes only if the variable PUBLISH_TO is set, and only what was built and tested", () => {
    expect(publishing.filter(([, job]) => job.if !== "vars.PUBLISH_TO != ''")).toEqual([]);
    expect(publishing.filter(([, { needs = [] }]) => [needs].flat().length === 0)).toEqual([]);
    expect(publishing.filter(([, job]) => !comparesChecksums(job))).toEqual([]);
  });

  it("puts no expression into a script, which could run it", () => {
    expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
  });

  it("has no secret but the token of the job", () => {
    expect([...new Set(text.match(/secrets\.\w+/g))]).toEqual(["secrets.GITHUB_TOKEN"]);
  });

  it("runs scripts of package.json that exist", () => {
    const named = scripts.flatMap((script) => [...script.matchAll(/npm run (?<name>[\w:]+)/g)]);
    const names = named.map(({ groups }) => groups?.["name"] ?? "");
    expect(names).toEqual(expect.arrayContaining(["build:package", "build:release", "build:image"]));
    expect(names.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  it("ends a job that does not end", () => {
    expect(jobs.filter(([, job]) => !(job["timeout-minutes"] > 0))).toEqual([]);
  });

  it.skipIf(withoutActionlint)("has no problem that actionlint finds", () => {
    expect(spawnSync("actionlint", ["-no-color", FILE], { encoding: "utf8" }).stdout).toBe("");
  });
});
