import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pinnedBytes } from "../../../tools/image/pinned-file.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

/** Of the text "right": printf right | openssl dgst -sha256 -binary | base64 */
const RIGHT = { name: "file", integrity: "sha256-JwQvTm7KfQsqfuQCbfLs+lHTM55tEiqgmRGOzYVjutk=" };

let scratch: ReturnType<typeof scratchFolder>;
let downloads = 0;
beforeEach(() => {
  scratch = scratchFolder();
  downloads = 0;
});
afterEach(() => scratch.remove());

async function pinned(content: string): Promise<string> {
  const cache = join(scratch.path, "cache");
  const bytes = await pinnedBytes(RIGHT, {
    cache,
    download: async (path) => {
      downloads += 1;
      writeFileSync(path, content);
    },
  });
  return Buffer.from(bytes).toString();
}

describe("a pinned file", () => {
  it("is downloaded once", async () => {
    expect([await pinned("right"), await pinned("right"), downloads]).toEqual(["right", "right", 1]);
  });

  it("is refused with another content, which is not kept", async () => {
    await expect(pinned("wrong")).rejects.toThrow(/checksum of file differs from the one in the lock file/);
    expect(readdirSync(join(scratch.path, "cache"))).toEqual([]);
  });

  it("is downloaded again if the cached file has changed", async () => {
    await pinned("right");
    writeFileSync(join(scratch.path, "cache/file"), "changed");
    expect([await pinned("right"), downloads]).toEqual(["right", 2]);
    expect(readFileSync(join(scratch.path, "cache/file"), "utf8")).toBe("right");
  });
});
