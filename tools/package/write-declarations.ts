import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";

const OPTIONS =
  "--ignoreConfig --declaration --emitDeclarationOnly --target es2024 --module nodenext --moduleResolution nodenext " +
  "--types node --strict --exactOptionalPropertyTypes --allowImportingTsExtensions --resolveJsonModule --skipLibCheck";

/** An import of a module of this project. */
const OWN_IMPORT = /(?<=from ")(?<path>\.[^"]+)\.ts(?=")/g;

/** Writes the declarations of a module and of all modules that they name, in the folders that these have. */
export async function writeDeclarations(root: string, entry: string, to: string): Promise<void> {
  const emitted = await mkdtemp(join(tmpdir(), "outlive-types-"));
  try {
    const args = [join(root, entry), ...OPTIONS.split(" "), "--rootDir", root, "--outDir", emitted];
    await promisify(execFile)(join(root, "node_modules/.bin/tsc"), args, { cwd: root });
    const needed = new Set([join(emitted, entry.replace(/\.ts$/, ".d.ts"))]);
    for (const file of needed) {
      const text = await readFile(file, "utf8");
      for (const { groups } of text.matchAll(OWN_IMPORT)) {
        needed.add(join(dirname(file), `${groups?.["path"] ?? ""}.d.ts`));
      }
      const target = join(to, relative(emitted, file));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text.replace(OWN_IMPORT, "$<path>.js"));
    }
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}
