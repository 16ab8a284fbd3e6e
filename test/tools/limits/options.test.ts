import { describe, expect, it } from "vitest";
import { readOptions } from "../../../tools/limits/options.ts";

describe("the options of the limits check", () => {
  it.each([
    ["all limits and every path without arguments", [], ["columns", "cycle", "folder", "test"], ""],
    ["all limits for a path", ["src/job"], ["columns", "cycle", "folder", "test"], "src/job"],
    ["the limits of --only", ["--only", "columns,folders"], ["columns", "folder"], ""],
    ["one limit for a path", ["--only=tests", "lib"], ["test"], "lib"],
  ])("select %s", (_, args, limits, path) => {
    expect(readOptions(args)).toEqual({ limits: new Set(limits), path });
  });

  it.each([
    ["an unknown limit", ["--only", "column"], 'Unknown limit "column". Use: columns, cycles, folders, tests.'],
    ["an empty list of limits", ["--only", ""], 'Unknown limit "". Use: columns, cycles, folders, tests.'],
    ["an unknown option", ["--fast"], "--fast"],
  ])("refuse %s", (_, args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
