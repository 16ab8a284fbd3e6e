import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { linkedFiles } from "../../../tools/package/linked-files.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterEach(() => scratch.remove());

function write(path: string, text: string): void {
  mkdirSync(join(scratch.path, path, ".."), { recursive: true });
  writeFileSync(join(scratch.path, path), text);
}

describe("the files that a page links to", () => {
  it("are pages and pictures, and those of the pages, once each", async () => {
    write(
      "README.md",
      "[a](docs/a.md#part), ![picture](docs/p.jpg), [code](src/a.ts), [site](https://example.org/b.md)",
    );
    write("docs/a.md", "[back](../README.md), [b](deep/b.md)");
    write("docs/deep/b.md", "[a](../a.md), [here](#part)");
    expect(await linkedFiles(scratch.path, "README.md")).toEqual([
      "README.md",
      "docs/a.md",
      "docs/p.jpg",
      "docs/deep/b.md",
    ]);
  });
});
