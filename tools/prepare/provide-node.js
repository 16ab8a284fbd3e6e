import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const LOWEST_MAJOR = 24;
/** What is installed: one package per platform, with integrity hashes in its lock file. */
const LOCKED = fileURLToPath(new URL("../node/", import.meta.url));

/**
 * Links `node_modules/.bin/node` to Node 24 if this Node is older, so that every npm script runs on 24.
 * The binary is shared by all checkouts of a user: it lies in the cache folder, which `npm ci` does not delete.
 *
 * @param {URL} packages the folder `node_modules/`
 */
export function provideNode(packages) {
  if (Number.parseInt(process.versions.node, 10) >= LOWEST_MAJOR) return;
  const name = `node-${process.platform}-${process.arch}`;
  const version = lockedVersion(name);
  if (version === undefined) {
    throw new Error(
      `Outlive needs Node ${LOWEST_MAJOR}; npm has none for ${name}. Install it from https://nodejs.org.`,
    );
  }
  const home = join(cacheFolder(), `${name}-${version}`);
  if (!existsSync(home)) install(name, home);
  const bin = join(fileURLToPath(packages), ".bin");
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, "node"), { force: true });
  symlinkSync(join(home, "bin", "node"), join(bin, "node"));
}

/** @param {string} name */
function lockedVersion(name) {
  const lock = /** @type {{ packages: Record<string, { version?: unknown }> }} */ (
    JSON.parse(readFileSync(join(LOCKED, "package-lock.json"), "utf8"))
  );
  const version = lock.packages[`node_modules/${name}`]?.version;
  return typeof version === "string" ? version : undefined;
}

/** Where this user's checkouts share what they have downloaded. */
export function cacheFolder() {
  // oxlint-disable-next-line node/no-process-env -- a program of its own that runs before the sources can
  const { XDG_CACHE_HOME: configured = "" } = process.env;
  return join(configured === "" ? join(homedir(), ".cache") : configured, "outlive");
}

/**
 * Installs into a folder beside the final one and renames it, so that two installs at once do not disturb each other.
 *
 * @param {string} name
 * @param {string} home
 */
function install(name, home) {
  mkdirSync(cacheFolder(), { recursive: true });
  const scratch = mkdtempSync(`${home}-`);
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(LOCKED, file), join(scratch, file));
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: scratch,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) throw new Error(`npm could not install ${name}. Outlive needs Node ${LOWEST_MAJOR} or newer.`);
  const installed = join(scratch, "node_modules", name);
  // The package also brings npm and C headers: another 70 MB.
  for (const folder of ["include", "lib", "share"]) rmSync(join(installed, folder), { recursive: true, force: true });
  if (!existsSync(home)) renameSync(installed, home);
  rmSync(scratch, { recursive: true, force: true });
}
