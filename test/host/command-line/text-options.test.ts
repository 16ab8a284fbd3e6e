import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { textOptionsOf } from "../../../src/host/command-line/text-options.ts";

const folder = mkdtempSync(join(tmpdir(), "outlive-kinds-"));
afterAll(() => rmSync(folder, { recursive: true }));
function written(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

describe("what may leave the cluster", () => {
  it("is neither text nor an added key by default", async () => {
    expect(await textOptionsOf({})).toEqual({ messages: false, names: false, kinds: undefined });
  });

  it("is the keys of the added kinds", async () => {
    const kinds = written("kinds.json", [{ kind: "Sweep", when: ["sweep"], ids: { "acme/sweep": "sweep" } }]);
    const options = await textOptionsOf({ includeNames: true, kinds });
    expect(options).toMatchObject({ names: true, kinds: { keys: new Set(["sweep"]) } });
  });

  it("is refused with every problem of the file", async () => {
    const file = written("invalid.json", [{ kind: "Sweep" }, { kind: "JobSet", when: ["a"] }]);
    await expect(textOptionsOf({ kinds: file })).rejects.toMatchObject({
      exitStatus: 2,
      message: `The kinds in ${file} are invalid:\n[0].when: Missing.\n[1].kind: This kind is built in.`,
    });
  });

  it("is refused if the file cannot be read", async () => {
    await expect(textOptionsOf({ kinds: join(folder, "missing.yaml") })).rejects.toMatchObject({
      exitStatus: 2,
      message: expect.stringMatching(/^Cannot read .*missing\.yaml.*Check --kinds\.$/) as string,
    });
  });
});
