import { writeFileSync, appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, afterEach, beforeEach } from "vitest";
import { followAuditLog, FollowedFile } from "../../../src/host/exporter/follow-audit-log.ts";
import { createJournal } from "../../../src/ports/runtime/journal.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";
import { tmpdir } from "node:os";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

/** Follows `path` until the first event or log line. */
async function firstOutput(path: string): Promise<{ readonly events: readonly unknown[]; readonly log: string }> {
  const events: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const source = { hasRoom: true, take: (event: unknown) => void events.push(event) };
  const { stop } = followAuditLog(
    path,
    source,
    createJournal(resolve, () => 0),
  );
  const log = await promise;
  stop();
  return { events, log };
}

describe("an audit log that is followed", () => {
  it("sends the events that it contains", async () => {
    const path = join(scratch.path, "audit.log");
    writeFileSync(path, '{"kind":"Event","n":1}\n{"kind":"Event","n":2}\n');
    const { events, log } = await firstOutput(path);
    expect(events).toMatchObject([{ n: 1 }, { n: 2 }]);
    expect(log).toContain("Following the audit log.");
  });

  it("is reported if it does not exist", async () => {
    const path = join(scratch.path, "absent.log");
    expect((await firstOutput(path)).log).toContain(`The audit log ${path} does not exist.`);
  });

  it("is reported if it cannot be read", async () => {
    expect((await firstOutput(scratch.path)).log).toContain("Cannot read the audit log: ");
  });
});

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
