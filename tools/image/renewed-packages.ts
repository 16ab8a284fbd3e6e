import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TAKEN_FILES } from "./base-layer.ts";
import type { LockedPackage, PackageLock } from "./debian-packages.ts";
import { ImageBuildError } from "./image-build-error.ts";
import type { Platform } from "./platforms.ts";

const RELEASE = "trixie";
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const ARCHIVES = [
  { archive: "debian", suite: RELEASE },
  { archive: "debian-security", suite: `${RELEASE}-security` },
];

/** The newest packages of the release, from the lists that Debian signs. */
export function renewedPackages(mirror: string): PackageLock {
  return {
    release: RELEASE,
    renewedAt: new Date().toISOString().replace(/[-:]|\.\d+/g, ""),
    packages: { amd64: newest("amd64", mirror), arm64: newest("arm64", mirror) },
  };
}

/** Asks apt, which works in a folder of its own: the packages of this machine may be of another release. */
function newest(architecture: Platform["architecture"], mirror: string): readonly LockedPackage[] {
  const folder = mkdtempSync(join(tmpdir(), "outlive-apt-"));
  try {
    const sources = ARCHIVES.map(
      ({ archive, suite }) => `deb [signed-by=${KEYRING}] ${mirror}/${archive} ${suite} main`,
    );
    writeFileSync(join(folder, "sources.list"), `${sources.join("\n")}\n`);
    for (const path of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(folder, path), { recursive: true });
    const settings = aptSettings(folder, architecture);
    apt(settings, "update", "--quiet=2");
    const lines = apt(settings, "download", "--print-uris", ...Object.keys(TAKEN_FILES))
      .trim()
      .split("\n");
    const packages = lines.map((line) => readAddress(line, mirror));
    return packages.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads a line of `apt-get --print-uris`: an address in quotes, the name of the file, its size, and its checksum. */
export function readAddress(line: string, mirror: string): LockedPackage {
  const pattern = /^'(?<address>[^']+)' (?<name>[^_]+)_(?<version>[^_]+)_\S+ \d+ SHA256:(?<sha256>[0-9a-f]{64})$/;
  const { address = "", name = "", version = "", sha256 = "" } = pattern.exec(line)?.groups ?? {};
  if (!address.startsWith(`${mirror}/`)) throw new ImageBuildError(`Cannot read what apt-get printed: ${line}`);
  const path = decodeURIComponent(address.slice(mirror.length + 1));
  return { name, version: decodeURIComponent(version), path, sha256 };
}

function aptSettings(folder: string, architecture: string): readonly string[] {
  const settings = {
    "APT::Architecture": architecture,
    "APT::Architectures": architecture,
    // The folder is not readable for apt's own user.
    "APT::Sandbox::User": "root",
    "Dir::Etc::SourceList": join(folder, "sources.list"),
    "Dir::Etc::SourceParts": "-",
    "Dir::State::Lists": join(folder, "lists"),
    "Dir::State::Status": "/dev/null",
    "Dir::Cache": join(folder, "cache"),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

function apt(settings: readonly string[], ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync("apt-get", [...settings, ...args], { encoding: "utf8" });
  if (status === 0) return stdout;
  throw new ImageBuildError(
    `apt-get ${args[0] ?? ""} failed: ${error?.message ?? stderr}. It needs Debian or Ubuntu, with ${KEYRING}.`,
  );
}
