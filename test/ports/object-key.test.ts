import { describe, expect, it } from "vitest";
import { isObjectKey } from "../../src/ports/object-key.ts";

describe("the key of an object", () => {
  it.each([
    "a",
    "manifest/dt=2026-11-21/hour=08/manifest.json",
    "jobs/dt=2026-11-21/cluster=a.b_c-d/part-0-h08.parquet",
    "a/..b/c..",
    "a/.b",
    "x".repeat(1_024),
  ])("is %s", (text) => {
    expect(isObjectKey(text)).toBe(true);
  });

  it.each([
    ["leaves the folder", "../a"],
    ["leaves the folder later", "jobs/../../a"],
    ["ends above", "jobs/.."],
    ["is absolute", "/etc/passwd"],
    ["ends with a slash", "jobs/"],
    ["has an empty name", "jobs//a"],
    ["names its own folder", "jobs/./a"],
    ["is the folder", "."],
    ["is empty", ""],
    ["has a backslash", "jobs\\..\\a"],
    ["names a drive", "C:a"],
    ["ends early for the file system", "jobs/a\0b"],
    ["has a line break", "jobs/a\nb"],
    ["has a space", "jobs/a b"],
    ["is not ASCII", "jobs/\u{2025}/a"],
    ["is too long", "x".repeat(1_025)],
  ])("is none that %s", (_, text) => {
    expect(isObjectKey(text)).toBe(false);
  });
});
