import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../lib/bundling/bundle-function.ts";
import { type BuiltImage, buildImage } from "./image/build-image.ts";
import { creationTime } from "./image/creation-time.ts";
import { debianSource } from "./image/debian-source.ts";
import { ImageBuildError } from "./image/image-build-error.ts";
import { PLATFORMS, platformsNamed } from "./image/platforms.ts";

/**
 * Writes the container image as an OCI archive, without a container engine (docs/deploy/image.md):
 * `npm run build:image -- [--platform linux/amd64]... [--file dist/outlive-image.tar] [--source URL]`
 */
const { values } = parseArgs({
  options: {
    platform: { type: "string", multiple: true, default: PLATFORMS.map(({ name }) => name) },
    file: { type: "string", default: join(ROOT, "dist/outlive-image.tar") },
    source: { type: "string" },
  },
});
// oxlint-disable-next-line node/no-process-env -- settings of the machine that builds
const environment = process.env;
try {
  mkdirSync(dirname(values.file), { recursive: true });
  const built = await buildImage({
    platforms: platformsNamed(values.platform),
    file: values.file,
    debian: debianSource(environment),
    createdAt: creationTime(environment),
    revision: revision(),
    source: values.source,
  });
  process.stdout.write(`${described(built)}\nWrote ${values.file}\n`);
} catch (error) {
  if (!(error instanceof ImageBuildError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** The commit, unless files differ from it. */
function revision(): string | undefined {
  try {
    return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD") : undefined;
  } catch {
    return undefined;
  }
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" }).trim();
}

function described({ digest, platforms }: BuiltImage): string {
  const lines = platforms.map(({ name, digest: of, bytes }) => {
    const layers = Object.entries(bytes).map(([layer, size]) => `${layer} ${megabytes(size)}`);
    const total = Object.values(bytes).reduce((sum, size) => sum + size, 0);
    return `${name}  ${of}  ${megabytes(total)} compressed (${layers.join(", ")})`;
  });
  return [`index        ${digest}`, ...lines].join("\n");
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
