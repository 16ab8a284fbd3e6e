import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPageFiles } from "../../../src/http/page/page-files.ts";

describe("the files of a built page", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "outlive-page-files-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("are those whose type the page has, with the same bytes compressed", async () => {
    for (const name of ["index.html", "main-ABCDEFGH.js", "llms.txt", "notes.md"]) {
      await writeFile(join(folder, name), name);
    }
    const files = await readPageFiles(folder);
    expect([...files.keys()].sort()).toEqual(["index.html", "llms.txt", "main-ABCDEFGH.js"]);
    const script = files.get("main-ABCDEFGH.js");
    expect(script).toMatchObject({ mediaType: "text/javascript; charset=utf-8", immutable: true });
    expect(brotliDecompressSync(script?.brotli ?? Buffer.of()).toString()).toBe("main-ABCDEFGH.js");
    expect(files.get("index.html")?.immutable).toBe(false);
  });

  it("are none where it was not built, and a folder that is a file is an error", async () => {
    expect((await readPageFiles(join(folder, "nowhere"))).size).toBe(0);
    await writeFile(join(folder, "file"), "");
    await expect(readPageFiles(join(folder, "file"))).rejects.toThrow("ENOTDIR");
  });
});
