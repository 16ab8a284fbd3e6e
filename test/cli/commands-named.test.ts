import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
/** Texts with commands for readers to run. */
const texts = [
  "README.md",
  "CONTRIBUTING.md",
  ...["cli", "src", "docs"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  ),
].filter((file) => /\.(ts|md)$/.test(file));
const main = readFileSync(join(root, "cli/main.ts"), "utf8");
const names = [...main.matchAll(/\bname: "([a-z]+)"/g)].map(([, name = ""]) => name);
/** `complete` is what completion scripts run. */
const known = new Set([...names, "complete", "completion", "help"]);

/** `outlive WORD` as a command: at the beginning of a text or a line, or after a prompt, a pipe or a comment sign. */
const COMMAND = /(?:["'`(]|\$ |# |\| |^ *)outlive ([a-z]+)/gm;
/** Verbs in sentences about outlive itself. */
const VERBS = ["has", "needs"];

describe("a command in help, messages and docs", () => {
  it("exists", () => {
    const unknown = texts.flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(COMMAND)]
        .map(([, word = ""]) => word)
        .filter((word) => !known.has(word) && !VERBS.includes(word))
        .map((word) => `${file}: outlive ${word}`),
    );
    expect(unknown).toEqual([]);
  });
});
