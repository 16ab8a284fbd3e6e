import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FollowedFile } from "../../../src/host/exporter/follow-file.ts";

let folder = "";
let path = "";
let lines: string[] = [];
let room = true;

function follow(): FollowedFile {
  return new FollowedFile({ path, onLine: (line) => lines.push(line), hasRoom: () => room });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-follow-"));
  path = join(folder, "audit.log");
  lines = [];
  room = true;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a followed file", () => {
  it("yields its lines, and each new line once it is complete", async () => {
    writeFileSync(path, "one\ntw");
    const file = follow();
    expect(await file.read()).toBe(true);
    expect(lines).toEqual(["one"]);
    appendFileSync(path, "o\nthree\n");
    await file.read();
    expect(lines).toEqual(["one", "two", "three"]);
    await file.close();
  });

  it("continues in the file that replaces it, after the last line of the old one", async () => {
    writeFileSync(path, "one\n");
    const file = follow();
    await file.read();
    renameSync(path, `${path}.1`);
    appendFileSync(`${path}.1`, "two\n");
    writeFileSync(path, "three\n");
    await file.read();
    await file.read();
    expect(lines).toEqual(["one", "two", "three"]);
    await file.close();
  });

  it("is read from the start after it was truncated", async () => {
    writeFileSync(path, "one\ntwo\n");
    const file = follow();
    await file.read();
    truncateSync(path);
    appendFileSync(path, "three\n");
    await file.read();
    await file.read();
    expect(lines).toEqual(["one", "two", "three"]);
    await file.close();
  });

  it("is waited for if it does not exist", async () => {
    const file = follow();
    expect(await file.read()).toBe(false);
    writeFileSync(path, "one\n");
    expect(await file.read()).toBe(true);
    expect(lines).toEqual(["one"]);
    await file.close();
  });

  it("is not read while there is no room", async () => {
    writeFileSync(path, "one\n");
    const file = follow();
    room = false;
    await file.read();
    expect(lines).toEqual([]);
    room = true;
    await file.read();
    expect(lines).toEqual(["one"]);
    await file.close();
  });

  it("loses only a line that is too long", async () => {
    writeFileSync(path, `one\n${"x".repeat(3 * 1024 * 1024)}\ntwo\n`);
    const file = follow();
    await file.read();
    expect(lines).toEqual(["one", "two"]);
    await file.close();
  });
});
