import { dirname, join } from "node:path/posix";
import type { SourceTree } from "./missing-tests.ts";
import type { Problem } from "./problem.ts";

const IMPORT = /(?:\bfrom|\bimport\()\s*["'](\.[^"']+)["']/g;

/** An import that leaves its folder. */
interface Crossing {
  readonly path: string;
  readonly imported: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The imports between folders of `src` that import each other, directly or through others. A folder is one that lies
 * directly in `src`, or that has a README: it does not include the folders in it that have their own.
 */
export function folderCycles(tree: SourceTree): readonly Problem[] {
  const described = new Set(tree.paths.filter((path) => path.endsWith("/README.md")).map((path) => dirname(path)));
  const crossings = tree.paths.filter(isSource).flatMap((path) => crossingsOf(tree, path, described));
  const reached = reachable(crossings);
  return crossings.flatMap(({ path, imported, from, to }) =>
    reached.get(to)?.has(from) === true
      ? [{ limit: "cycle", path, message: `${from} imports ${to}, which imports it again (${imported})` }]
      : [],
  );
}

function isSource(path: string): boolean {
  return /^src\/.*\.tsx?$/.test(path);
}

function crossingsOf(tree: SourceTree, path: string, described: ReadonlySet<string>): readonly Crossing[] {
  const from = folderOf(path, described);
  return [...tree.read(path).matchAll(IMPORT)].flatMap(([, specifier = ""]) => {
    const imported = join(dirname(path), specifier);
    const to = folderOf(imported, described);
    return isSource(imported) && to !== from ? [{ path, imported, from, to }] : [];
  });
}

function folderOf(path: string, described: ReadonlySet<string>): string {
  const folder = dirname(path);
  return described.has(folder) || folder.split("/").length <= 2 ? folder : folderOf(folder, described);
}

/** The folders that each folder imports, directly or through others. */
function reachable(crossings: readonly Crossing[]): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = Map.groupBy(crossings, ({ from }) => from);
  return new Map([...imports.keys()].map((folder) => [folder, reachedFrom(folder, imports)]));
}

function reachedFrom(start: string, imports: ReadonlyMap<string, readonly Crossing[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const left = [start];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    for (const { to } of imports.get(folder) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      left.push(to);
    }
  }
  return reached;
}
