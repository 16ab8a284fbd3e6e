import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { shippedPackages } from "../../../tools/package/shipped-packages.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

/** A checkout with a package in two versions, one of which is inside another package, and one without a hash. */
const root = join(scratch.path, "checkout");
install("node_modules/part", { name: "part", version: "1.0.0", license: "MIT" });
install("node_modules/@scope/whole", { name: "@scope/whole", version: "3.0.0", license: "ISC" });
install("node_modules/@scope/whole/node_modules/part", { name: "part", version: "2.0.0", license: "MIT" });
install("node_modules/unlocked", { name: "unlocked", version: "1.0.0", license: "MIT" });
install("node_modules/outdated", { name: "outdated", version: "1.0.0", license: "MIT" });
install("node_modules/nameless", { name: "nameless", version: "1.0.0" });
writeFileSync(join(root, "node_modules/part/LICENSE.md"), "May be used.\n");
writeFileSync(
  join(root, "package-lock.json"),
  JSON.stringify({
    packages: {
      "node_modules/part": { version: "1.0.0", integrity: "sha512-one" },
      "node_modules/@scope/whole": { version: "3.0.0", integrity: "sha512-whole" },
      "node_modules/@scope/whole/node_modules/part": { version: "2.0.0", integrity: "sha512-two" },
      "node_modules/outdated": { version: "0.9.0", integrity: "sha512-old" },
    },
  }),
);

function install(folder: string, manifest: object): void {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, "package.json"), JSON.stringify(manifest));
}

/** A bundle with this many bytes of each file. */
function bundleOf(files: Readonly<Record<string, number>>): Metafile {
  const inputs = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, { bytesInOutput: bytes }]));
  return { inputs: {}, outputs: { "main.js": { bytes: 1, imports: [], exports: [], inputs } } };
}

async function idsOf(files: Readonly<Record<string, number>>, copied: readonly string[] = []) {
  const packages = await shippedPackages(root, { bundles: [bundleOf(files)], copied });
  return packages.map(({ name, version, integrity }) => `${name}@${version} ${integrity}`);
}

describe("the packages of a bundle", () => {
  it("are those with bytes in it, each version with its own hash", async () => {
    const files = {
      "src/own.ts": 9,
      "node_modules/part/index.js": 3,
      "node_modules/part/other.js": 3,
      "node_modules/@scope/whole/node_modules/part/index.js": 1,
      "node_modules/unlocked/unused.js": 0,
    };
    expect(await idsOf(files)).toEqual(["part@1.0.0 sha512-one", "part@2.0.0 sha512-two"]);
  });

  it("are found from a bundle of a folder of the checkout", async () => {
    expect(await idsOf({ "../node_modules/@scope/whole/index.js": 2 })).toEqual(["@scope/whole@3.0.0 sha512-whole"]);
  });

  it("include those of which files were copied, once", async () => {
    expect(await idsOf({ "node_modules/part/index.js": 3 }, ["part", "@scope/whole"])).toEqual([
      "@scope/whole@3.0.0 sha512-whole",
      "part@1.0.0 sha512-one",
    ]);
  });

  it("have the text of their licence files", async () => {
    const [part] = await shippedPackages(root, { bundles: [], copied: ["part"] });
    expect(part).toMatchObject({ license: "MIT", licenceText: "May be used." });
  });

  it.each([
    ["unlocked", "package-lock.json has no hash of unlocked 1.0.0"],
    ["outdated", "package-lock.json has no hash of outdated 1.0.0"],
    ["nameless", "node_modules/nameless/package.json names no licence."],
  ])("cannot be shipped if one is %s", async (name, message) => {
    await expect(idsOf({}, [name])).rejects.toThrow(message);
  });
});
