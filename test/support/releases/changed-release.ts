import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** What a deployment reads. */
const PARTS = ["bin", "lib", "functions", "src", "package.json", "package-lock.json", "cdk.json", "tsconfig.json"];

/** Another text of a file. */
export interface SourceChange {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A copy of this checkout with one change: another release to deploy. */
export function changedRelease({ file, from, to }: SourceChange): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "outlive-release-"));
  for (const part of PARTS) cpSync(join(ROOT, part), join(path, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(path, "node_modules"));
  const source = readFileSync(join(path, file), "utf8");
  if (source.split(from).length !== 2) throw new Error(`${file} does not contain this text once: ${from}`);
  writeFileSync(join(path, file), source.replace(from, to));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
