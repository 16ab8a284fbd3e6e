import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const LOCKED = fileURLToPath(new URL("runtime/", import.meta.url));
const FILES = ["package-lock.json", "package.json"];
/** Written last: a folder without it is incomplete. `emulator.py` reads and writes the same marker. */
const MARKER = ".complete";

export type EmulatorRuntime =
  | { readonly outcome: "installed"; readonly packages: string }
  | { readonly outcome: "unavailable"; readonly reason: string };

/**
 * Installs the packages of `test/emulators/runtime` (DynamoDB Local and the Lambda runtime client) once per user, in
 * the folder that `emulator.py` uses too. They are 75 MB that only some tests need, so `npm ci` does not install them.
 */
export function installEmulatorRuntime(cache = cacheFolder()): EmulatorRuntime {
  const home = join(cache, `node-${digestOf(FILES)}`);
  if (!existsSync(join(home, MARKER))) {
    const failure = install(cache, home);
    if (failure !== undefined) return { outcome: "unavailable", reason: `npm could not install it: ${failure}` };
  }
  return { outcome: "installed", packages: join(home, "node_modules") };
}

/** Installs beside the final folder and renames it, so that two installs at once do not disturb each other. */
function install(cache: string, home: string): string | undefined {
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(`${home}-`);
  try {
    for (const file of FILES) cpSync(join(LOCKED, file), join(scratch, file));
    const options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status, error, stderr } = spawnSync("npm", options, { cwd: scratch, encoding: "utf8" });
    if (status !== 0) return error?.message ?? stderr.trim().slice(-500);
    writeFileSync(join(scratch, MARKER), "");
    if (existsSync(join(home, MARKER))) return undefined;
    rmSync(home, { recursive: true, force: true });
    renameSync(scratch, home);
    return undefined;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function cacheFolder(): string {
  // oxlint-disable-next-line node/no-process-env -- the cache folder is a setting of the machine that runs the tests
  const base = process.env["XDG_CACHE_HOME"] ?? "";
  return join(base === "" ? join(homedir(), ".cache") : base, "outlive-emulators");
}

function digestOf(files: readonly string[]): string {
  const hash = createHash("sha256");
  files.forEach((file, index) => hash.update(index > 0 ? "\0" : "").update(readFileSync(join(LOCKED, file))));
  return hash.digest("hex").slice(0, 8);
}
