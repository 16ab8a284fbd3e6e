import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readToken } from "../../../cli/options/token-options.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

function fileWith(text: string): string {
  const file = join(scratch.path, "token");
  writeFileSync(file, text);
  return file;
}

describe("the token of a reader", () => {
  it("is absent without options", () => {
    expect(readToken({})).toBeUndefined();
  });

  it("is read from a file without its line break", () => {
    expect(readToken({ tokenFile: fileWith("a.b.c\n") })).toBe("a.b.c");
  });

  it("is what a command prints, without its line break", () => {
    expect(readToken({ tokenCommand: "echo a.b.c" })).toBe("a.b.c");
  });

  it("is that of --token, then of the file, then of the command", () => {
    const all = { token: "option", tokenFile: fileWith("file"), tokenCommand: "echo command" };
    const { token: _, ...withoutOption } = all;
    expect(readToken(all)).toBe("option");
    expect(readToken(withoutOption)).toBe("file");
  });

  it.each([
    ["an empty file", { tokenFile: () => fileWith("\n") }, /is empty/],
    ["a file with two words", { tokenFile: () => fileWith("Bearer a.b.c") }, /more than one word/],
    ["a missing file", { tokenFile: () => "no-such-file" }, /Cannot read token file no-such-file/],
  ])("cannot come from %s", (_, { tokenFile }, message) => {
    expect(() => readToken({ tokenFile: tokenFile() })).toThrow(message);
  });

  it.each([
    ["prints nothing", "true", /is empty/],
    ["fails", "exit 3", /--token-command failed/],
  ])("cannot come from a command that %s", (_, tokenCommand, message) => {
    expect(() => readToken({ tokenCommand })).toThrow(message);
  });
});
