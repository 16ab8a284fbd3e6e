import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path/posix";

/** A link or a picture of Markdown with a relative address. */
const LINK = /\]\((?<path>[^)#:\s]+)(?:#[^)\s]*)?\)/g;

/** What a reader of the package sees: pages and pictures, not the sources. */
const SHOWN = /\.(md|jpg|png|svg)$/;

/** The pages and pictures that a page links to, and theirs in turn: a reader of the package can follow the links. */
export async function linkedFiles(root: string, page: string): Promise<readonly string[]> {
  const found = new Set([page]);
  for (const path of found) {
    if (!path.endsWith(".md")) continue;
    const text = await readFile(join(root, path), "utf8");
    for (const { groups } of text.matchAll(LINK)) {
      const linked = join(dirname(path), groups?.["path"] ?? "");
      if (SHOWN.test(linked)) found.add(linked);
    }
  }
  return [...found];
}
