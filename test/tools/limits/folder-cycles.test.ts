import { describe, expect, it } from "vitest";
import { folderCycles } from "../../../tools/limits/folder-cycles.ts";

/** Files by their paths, each with what it imports. */
function cyclesIn(files: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const read = (path: string) => (files[path] ?? []).map((name) => `import { a } from "${name}";\n`).join("");
  return folderCycles({ paths: Object.keys(files), read }).map(({ path, message }) => `${path}: ${message}`);
}

/** `src/a` imports `src/b` on demand, and the other way around. */
const importsOther = (path: string) => `await import("../${path.includes("/a/") ? "b" : "a"}/x.ts")`;

describe("folders of src", () => {
  it("may import in one direction, and within themselves", () => {
    expect(cyclesIn({ "src/a/one.ts": ["./b/two.ts", "../c/three.ts"], "src/a/b/two.ts": ["../one.ts"] })).toEqual([]);
  });

  it("are reported with each import that closes a cycle", () => {
    expect(
      cyclesIn({ "src/a/one.ts": ["../b/two.ts"], "src/b/two.ts": ["../c/three.ts"], "src/c/three.ts": ["../a/x.ts"] }),
    ).toEqual([
      "src/a/one.ts: src/a imports src/b, which imports it again (src/b/two.ts)",
      "src/b/two.ts: src/b imports src/c, which imports it again (src/c/three.ts)",
      "src/c/three.ts: src/c imports src/a, which imports it again (src/a/x.ts)",
    ]);
  });

  it("are not reported for imports of other folders beside a cycle", () => {
    const files = { "src/a/one.ts": ["../b/two.ts", "../c/x.ts"], "src/b/two.ts": ["../a/one.ts"] };
    expect(cyclesIn(files)).toHaveLength(2);
  });

  it("count as several where folders in them have a README", () => {
    const files = { "src/a/one.ts": ["./b/two.ts"], "src/a/b/two.ts": ["../one.ts"] };
    expect(cyclesIn(files)).toEqual([]);
    expect(cyclesIn({ ...files, "src/a/b/README.md": [] })).toHaveLength(2);
  });

  it("are searched for imports on demand, too", () => {
    expect(folderCycles({ paths: ["src/a/x.ts", "src/b/x.ts"], read: importsOther })).toHaveLength(2);
  });
});
