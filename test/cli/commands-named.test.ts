import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
/** Where somebody is told what to type. */
const told = [
  "README.md",
  "CONTRIBUTING.md",
  ...["cli", "src", "docs"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  ),
].filter((file) => /\.(ts|md)$/.test(file));
const names = readdirSync(join(root, "cli/commands")).map((file) => file.replace(/\.ts$/, ""));
/** `complete` is what completion scripts run. */
const known = new Set([...names, "complete", "completion", "help"]);

/** `outlive WORD` as a command is written: at the beginning of a text or a line, or after a prompt, a pipe or a comment's sign. */
const COMMAND = /(?:["'`(]|\$ |# |\| |^ *)outlive ([a-z]+)/gm;
/** The beginnings of sentences about outlive itself. */
const VERBS = ["knows", "needs", "could"];

describe("a command that somebody is told to type", () => {
  it("is one that there is", () => {
    const unknown = told.flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(COMMAND)]
        .map(([, word = ""]) => word)
        .filter((word) => !known.has(word) && !VERBS.includes(word))
        .map((word) => `${file}: outlive ${word}`),
    );
    expect(unknown).toEqual([]);
  });
});
