import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import manifest from "../../../package.json" with { type: "json" };
import { buildPackage } from "../../../tools/package/build-package.ts";
import { packRelease } from "../../../tools/release/pack-release.ts";
import { example, scratchFolder } from "../../support/running/run-outlive.ts";
import { skipWithout } from "../../support/running/skip-without.ts";

/** What Krew reads (krew.sigs.k8s.io/docs/developer-guide/plugin-manifest). */
interface KrewManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly version: string;
    readonly homepage: string;
    readonly shortDescription: string;
    readonly platforms: readonly [
      {
        readonly uri: string;
        readonly sha256: string;
        readonly files: readonly [{ readonly from: string; readonly to: string }];
        readonly bin: string;
      },
    ];
  };
}

const REPOSITORY = "https://github.com/example/outlive";
const scratch = scratchFolder();
const packageFolder = join(scratch.path, "package");
const to = join(scratch.path, "release");
const kubectl = spawnSync("which", ["kubectl"], { encoding: "utf8" }).stdout.trim();
const withoutKubectl = skipWithout(kubectl !== "", { dependency: "kubectl", untested: "the plugin of kubectl" });
let tarball: string;
let krew: KrewManifest;

beforeAll(async () => {
  await buildPackage(packageFolder);
  tarball = await packRelease({ packageFolder, to, repository: REPOSITORY });
  krew = parse(readFileSync(join(to, "outlive.yaml"), "utf8")) as KrewManifest;
}, 120_000);
afterAll(() => scratch.remove());

function sha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

describe("the files of a release", () => {
  it("have the version in their names", () => {
    expect(tarball).toBe(join(to, `outlive-${manifest.version}.tgz`));
    const bills = ["", "-image"].map((part) => join(to, `outlive-${manifest.version}${part}.cdx.json`));
    expect(bills.filter((bill) => !existsSync(bill))).toEqual([]);
  });

  it("name the repository, with which npm compares the provenance", () => {
    const packed = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
    expect(JSON.parse(packed)).toMatchObject({ repository: { type: "git", url: `git+${REPOSITORY}.git` } });
  });

  it("have the same bytes when they are packed again", async () => {
    const before = sha256(tarball);
    await packRelease({ packageFolder, to, repository: REPOSITORY });
    expect(sha256(tarball)).toBe(before);
  });
});

describe("the manifest of Krew", () => {
  it("has the version, the address and the hash of the tarball", () => {
    const [platform] = krew.spec.platforms;
    expect(krew).toMatchObject({
      apiVersion: "krew.googlecontainertools.github.com/v1alpha2",
      kind: "Plugin",
      metadata: { name: "outlive" },
      spec: { version: `v${manifest.version}`, homepage: REPOSITORY },
    });
    expect(platform.uri).toBe(`https://registry.npmjs.org/outlive/-/outlive-${manifest.version}.tgz`);
    expect(platform.sha256).toBe(sha256(tarball));
  });

  it("has a short description as Krew's guide asks for: at most 50 characters, no full stop", () => {
    expect(krew.spec.shortDescription).toMatch(/^.{1,49}[^.]$/);
  });

  it.skipIf(withoutKubectl)("installs a plugin that kubectl finds and runs", () => {
    const { bin } = install();
    const env = { PATH: [bin, dirname(process.execPath), dirname(kubectl), "/usr/bin", "/bin"].join(delimiter) };
    const run = (...args: readonly string[]) =>
      spawnSync(kubectl, ["outlive", ...args], { cwd: scratch.path, env, encoding: "utf8" });
    expect(run("--help").stdout).toMatch(/^Usage: outlive /);
    const { status, stdout } = run("fold", example("ttl.ndjson.gz"), "-o", "json");
    expect(status).toBe(0);
    expect((JSON.parse(stdout) as { readonly jobs: readonly unknown[] }).jobs).toHaveLength(3);
  });
});

/** Installs the tarball as Krew does: moves the files, and links the program under the name of the plugin. */
function install(): { readonly bin: string } {
  const [{ files, bin }] = krew.spec.platforms;
  const [{ from }] = files;
  const unpacked = join(scratch.path, "unpacked");
  const store = join(scratch.path, "store");
  const links = join(scratch.path, "krew-bin");
  for (const folder of [unpacked, links]) mkdirSync(folder);
  execFileSync("tar", ["-xzf", tarball, "-C", unpacked]);
  expect(from).toBe("package/*");
  renameSync(join(unpacked, "package"), store);
  symlinkSync(join(store, bin), join(links, "kubectl-outlive"));
  return { bin: links };
}
