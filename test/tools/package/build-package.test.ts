import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { example, scratchFolder } from "../../support/running/run-outlive.ts";
import { buildPackage } from "../../../tools/package/build-package.ts";
import { schemaErrors } from "../../support/cyclonedx.ts";

const MEGABYTE = 1_000_000;
const scratch = scratchFolder();
/** A folder of a user, with the package installed from its tarball. */
const user = join(scratch.path, "user");
const installed = join(user, "node_modules/outlive");
let tarball: string;

interface Bill {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly hashes: readonly [{ readonly content: string }];
  }[];
}

beforeAll(async () => {
  const folder = join(scratch.path, "package");
  await buildPackage(folder);
  const packed = npm(["pack", "--json", folder], scratch.path);
  tarball = join(scratch.path, (JSON.parse(packed) as [{ filename: string }])[0].filename);
  mkdirSync(user);
  writeFileSync(join(user, "package.json"), '{"type":"module"}');
  npm(["install", "--offline", "--no-audit", "--no-fund", tarball], user);
}, 120_000);
afterAll(() => scratch.remove());

/** An app as the documentation has it (docs/deploy.md). */
const APP = `
import { App, Duration, Stack } from "aws-cdk-lib";
import { AccountRootPrincipal, Role } from "aws-cdk-lib/aws-iam";
import { Outlive } from "outlive/cdk";
const app = new App({ outdir: "cdk.out", analyticsReporting: false });
const stack = new Stack(app, "Batch");
const role = new Role(stack, "Exporter", { assumedBy: new AccountRootPrincipal() });
const outlive = new Outlive(stack, "Outlive", { retention: Duration.days(90), peakJobsPerSecond: 50 });
outlive.registerCluster("prod-eu", { role });
app.synth();
`;

function npm(args: readonly string[], cwd: string): string {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

function outlive(...args: readonly string[]) {
  return spawnSync(process.execPath, [join(installed, "cli/outlive.js"), ...args], {
    cwd: user,
    encoding: "utf8",
    env: {},
  });
}

function manifest(): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Record<string, unknown>;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

function linksIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name);
}

describe("the npm package, installed in another folder", () => {
  it("needs no other package and runs nothing when it is installed", () => {
    expect(Object.keys(manifest()).filter((key) => /dependencies|scripts|bundle/i.test(key))).toEqual([
      "peerDependencies",
      "peerDependenciesMeta",
    ]);
    expect(manifest()["peerDependenciesMeta"]).toEqual({
      "aws-cdk-lib": { optional: true },
      constructs: { optional: true },
    });
    expect(readdirSync(join(user, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["outlive"]);
    expect(manifest()["engines"]).toEqual({ node: ">=24" });
  });

  it("has at most 6 MB packed and 20 MB installed", () => {
    const sum = filesIn(installed).reduce((bytes, file) => bytes + statSync(file).size, 0);
    expect(statSync(tarball).size).toBeLessThan(6 * MEGABYTE);
    expect(sum).toBeLessThan(20 * MEGABYTE);
  });

  it("deploys a stage from an app of its user, with the functions that it brings", () => {
    const app = join(scratch.path, "app");
    mkdirSync(join(app, "node_modules"), { recursive: true });
    symlinkSync(installed, join(app, "node_modules/outlive"));
    for (const name of ["aws-cdk-lib", "constructs"]) {
      symlinkSync(
        fileURLToPath(new URL(`../../../node_modules/${name}`, import.meta.url)),
        join(user, "node_modules", name),
      );
      symlinkSync(join(user, "node_modules", name), join(app, "node_modules", name));
    }
    writeFileSync(join(app, "app.mjs"), APP);
    const { status, stderr } = spawnSync(process.execPath, ["app.mjs"], { cwd: app, encoding: "utf8", env: {} });
    expect([status, stderr.replaceAll(/^Bundling asset.*\n/gm, "")]).toEqual([0, ""]);
    const code = filesIn(join(app, "cdk.out")).filter((file) => file.endsWith("/index.mjs"));
    expect(code.length).toBeGreaterThan(8);
    expect(filesIn(join(app, "cdk.out")).some((file) => file.endsWith("/web/dist/index.html"))).toBe(true);
  });

  it("answers as the checkout does", () => {
    const recording = example("ttl.ndjson.gz");
    const { status, stdout } = outlive("fold", recording);
    const checkout = spawnSync(process.execPath, ["cli/outlive.js", "fold", recording], { encoding: "utf8", env: {} });
    expect([status, stdout]).toEqual([0, checkout.stdout]);
  });

  it("imports its examples into a database and explains them", () => {
    const database = join(scratch.path, "jobs.sqlite");
    const file = join(installed, "examples/ttl.ndjson.gz");
    expect(outlive("import", "--database", database, "--cluster", "ttl", file).status).toBe(0);
    expect(outlive("why", "job/nightly", "-n", "ttl", "--database", database).stdout).toContain("Complete");
  });

  it("writes and reads YAML, whose library is loaded on demand", () => {
    const database = join(scratch.path, "yaml.sqlite");
    const prices = join(scratch.path, "prices.yaml");
    writeFileSync(prices, "currency: USD\nperHour:\n  cpu: 0.04\n");
    const file = join(installed, "examples/ttl.ndjson.gz");
    expect(outlive("import", "--database", database, "--cluster", "ttl", file).status).toBe(0);
    const stored = ["--database", database, "-n", "ttl"];
    expect(outlive("get", "job/nightly", ...stored, "-o", "yaml").stdout).toContain("\nname: nightly\n");
    expect(outlive("usage", ...stored, "--since", "9999d", "--prices", prices).stdout).toContain("USD");
    const server = ["--server", "http://127.0.0.1:1", "--cluster", "ttl"];
    expect(outlive("kubeconfig", ...server).stdout).toContain("kind: Config\n");
  });

  it("exports modules with types that compile without other packages", () => {
    writeFileSync(
      join(user, "program.ts"),
      [
        'import { fold, type JobAnswer } from "outlive";',
        'import { createOutliveClient, itemsOf } from "outlive/client";',
        'import document from "outlive/openapi.json" with { type: "json" };',
        'const { jobs } = await fold([process.argv[2] ?? ""]);',
        "const names: readonly string[] = jobs.map((job: JobAnswer) => `${job.name} ${job.verdict.state}`);",
        'const client = createOutliveClient({ server: "http://127.0.0.1:1" });',
        "const pages = itemsOf((cursor) =>",
        '  client.GET("/v1/jobs", { params: { query: cursor === undefined ? {} : { cursor } } }));',
        "console.log(JSON.stringify([names, typeof pages.next, document.openapi]));",
        "// @ts-expect-error -- a name is text",
        "export const wrong: number = jobs[0]?.name ?? 0;",
      ].join("\n"),
    );
    const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2024"];
    const types = ["--typeRoots", join(import.meta.dirname, "../../../node_modules/@types"), "--types", "node"];
    const compiled = spawnSync(process.execPath, [compiler, ...options, ...types, "program.ts"], {
      cwd: user,
      encoding: "utf8",
    });
    expect([compiled.status, compiled.stdout]).toEqual([0, ""]);
    const ran = spawnSync(process.execPath, ["program.ts", example("ttl.ndjson.gz")], { cwd: user, encoding: "utf8" });
    expect(ran.stderr).toBe("");
    expect(JSON.parse(ran.stdout)).toEqual([
      ["nightly Complete", "nightly Failed", "nightly Complete"],
      "function",
      expect.stringMatching(/^3\./),
    ]);
  });

  it("has the licence of every package that is bundled", () => {
    const licences = readFileSync(join(installed, "THIRD_PARTY_LICENSES.txt"), "utf8");
    for (const name of ["commander", "hono", "@aws-sdk/client-dynamodb", "@kubernetes/client-node", "openapi-fetch"]) {
      expect(licences).toMatch(new RegExp(`^${name} [0-9.]+ \\(.+\\)$`, "m"));
    }
  });

  it("has a bill of materials with exactly the packages of its licences, and their hashes", () => {
    const bill = readFileSync(join(installed, "sbom.cdx.json"), "utf8");
    expect(schemaErrors(bill)).toEqual([]);
    const { components } = JSON.parse(bill) as Bill;
    const licences = readFileSync(join(installed, "THIRD_PARTY_LICENSES.txt"), "utf8");
    const named = [...licences.matchAll(/^(?<name>\S+) (?<version>\d+\.\d+\.\d+) \(.+\)$/gm)];
    const names = named.map(({ groups }) => `${groups?.["name"]}@${groups?.["version"]}`);
    expect(components.map(({ name, version }) => `${name}@${version}`).sort()).toEqual(names.sort());
    expect(components.filter(({ hashes }) => !/^[0-9a-f]{128}$/.test(hashes[0].content))).toEqual([]);
    // The page, the command line, the client and copied declarations. Vitest and TypeScript are in none of them.
    for (const name of ["preact", "commander", "openapi-fetch", "openapi-typescript-helpers"]) {
      expect(components).toContainEqual(expect.objectContaining({ name }));
    }
    expect(components.filter(({ name }) => /^(vitest|typescript|esbuild)$/.test(name))).toEqual([]);
  });

  it("has the charts with the files to which they link", () => {
    const charts = "deploy/charts";
    const expected = filesIn(charts).length + linksIn(charts).length;
    expect(linksIn(charts).length).toBeGreaterThan(0);
    expect(filesIn(join(installed, charts))).toHaveLength(expected);
  });

  it("has every file to which its README and their pages link", () => {
    const linked = [...readFileSync(join(installed, "README.md"), "utf8").matchAll(/\]\(([^)#:]+)[#)]/g)];
    const missing = linked.map(([, path = ""]) => path).filter((path) => !statSync(join(installed, path)).isFile());
    expect(linked.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });
});
