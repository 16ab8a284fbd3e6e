import { existsSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packRelease } from "./release/pack-release.ts";

// Packs what "npm run build:package" wrote, for a release: the tarball, its bill of materials, and Krew's manifest.
const packageFolder = fileURLToPath(new URL("../dist/package", import.meta.url));
const to = fileURLToPath(new URL("../dist/release", import.meta.url));
const { repository = "" } = parseArgs({ options: { repository: { type: "string" } } }).values;

if (!/^https:\/\/[^/]+\/[^/]+\/[^/]+$/.test(repository) || repository.endsWith(".git")) {
  fail("Set --repository to the address of the repository: https://github.com/OWNER/NAME");
} else if (!existsSync(packageFolder)) {
  fail('There is no package to pack. Run "npm run build:package" first.');
} else {
  const tarball = await packRelease({ packageFolder, to, repository });
  process.stdout.write(`Packed ${relative(process.cwd(), tarball)}\n`);
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
