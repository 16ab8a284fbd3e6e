import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { packFunctions, unpackFunction } from "../../../lib/bundling/packed-functions.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

function packed(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(scratch.path, name);
  mkdirSync(folder);
  packFunctions(files, folder);
  return folder;
}

describe("packed functions", () => {
  it("are unpacked one at a time, with their parts", () => {
    const files = { "query/index.mjs": "one", "query/parts/a.mjs": "two", "query-2/index.mjs": "three" };
    const to = join(scratch.path, "query");
    unpackFunction(packed("few", files), "query", to);
    expect(readFileSync(join(to, "index.mjs"), "utf8")).toBe("one");
    expect(readFileSync(join(to, "parts/a.mjs"), "utf8")).toBe("two");
    expect(existsSync(join(to, "2/index.mjs"))).toBe(false);
  });

  it("take the space of what they have in common once", () => {
    const text = Array.from({ length: 200_000 }, (_, n) => (n * 2_654_435_761) % 4_294_967_291).join("");
    const one = statSync(join(packed("one", { "a/index.mjs": text }), "functions.json.zst")).size;
    const two = packed("two", { "a/index.mjs": text, "b/index.mjs": text });
    expect(statSync(join(two, "functions.json.zst")).size).toBeLessThan(1.01 * one);
  });
});
