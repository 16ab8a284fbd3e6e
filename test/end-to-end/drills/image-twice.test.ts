import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../lib/bundling/bundle-function.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const MOST_MEGABYTES = 60;
const scratch = scratchFolder();
afterAll(() => scratch.remove());

/** A copy of the checkout in another folder, without git. Hard links share the content of its packages. */
function copied(name: string): string {
  const folder = join(scratch.path, name);
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  mkdirSync(folder, { recursive: true });
  execFileSync("cp", ["--parents", ...listed.toString().trim().split("\n"), folder], { cwd: ROOT });
  execFileSync("cp", ["-al", join(ROOT, "node_modules"), folder]);
  return folder;
}

interface Built {
  readonly output: string;
  readonly archive: Buffer;
}

/** Builds as a user does, with the cached downloads of this machine. */
function built(folder: string): Built {
  const output = execFileSync("npm", ["run", "-s", "build:image"], { cwd: folder, encoding: "utf8" });
  return { output, archive: readFileSync(join(folder, "dist/outlive-image.tar")) };
}

function digestOf({ output }: Built): string {
  const [, digest] = /^index +(sha256:[0-9a-f]{64})$/m.exec(output) ?? [];
  if (digest === undefined) throw new Error(`The build printed no digest: ${output}`);
  return digest;
}

describe("the image, built in two folders", () => {
  let one: Built;
  let other: Built;
  beforeAll(() => {
    one = built(copied("one"));
    other = built(copied("two/deeper"));
  });

  it("has the same bytes", () => {
    expect(other.archive.equals(one.archive)).toBe(true);
  });

  it("prints the same digest, of the index in the archive", () => {
    expect(digestOf(other)).toBe(digestOf(one));
    expect(one.archive.includes(`blobs/${digestOf(one).replace(":", "/")}`)).toBe(true);
  });

  it(`has at most ${MOST_MEGABYTES} MB for each platform`, () => {
    const sizes = [...one.output.matchAll(/^(?<platform>linux\/\w+) .* (?<megabytes>[\d.]+) MB compressed/gm)];
    expect(sizes.map(({ groups }) => groups?.["platform"])).toEqual(["linux/amd64", "linux/arm64"]);
    for (const { groups } of sizes) expect(Number(groups?.["megabytes"])).toBeLessThanOrEqual(MOST_MEGABYTES);
  });
});
