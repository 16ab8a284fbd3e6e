import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatabaseError } from "../../../src/adapters/sqlite/database-error.ts";
import { openDatabase } from "../../../src/adapters/sqlite/database.ts";
import { isDatabaseInUse, lockFile } from "../../../src/adapters/sqlite/file-lock.ts";

let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-lock-"));
  path = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that holds the lock and does nothing else. */
async function holder() {
  const module = join(import.meta.dirname, "../../../src/adapters/sqlite/file-lock.ts");
  const script = `import { lockFile } from ${JSON.stringify(module)};
    console.log(lockFile(${JSON.stringify(path)}) === undefined ? "taken" : "held");
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: unknown[] = await once(child.stdout, "data");
  return { child, said: String(said[0]).trim() };
}

describe("a lock on a file", () => {
  it("has one holder at a time, and is free after its release", () => {
    const first = lockFile(path);
    expect(first).toBeDefined();
    expect(lockFile(path)).toBeUndefined();
    first?.release();
    const second = lockFile(path);
    expect(second).toBeDefined();
    second?.release();
  });

  it("is refused while another process has it, and free after that process was killed", async () => {
    const { child, said } = await holder();
    expect(said).toBe("held");
    expect(lockFile(path)).toBeUndefined();
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    const lock = lockFile(path);
    expect(lock).toBeDefined();
    lock?.release();
  });

  it("excludes another process", async () => {
    const lock = lockFile(path);
    const { child, said } = await holder();
    child.kill("SIGKILL");
    expect(said).toBe("taken");
    lock?.release();
  });

  it("leaves its file empty", () => {
    lockFile(path)?.release();
    expect(statSync(path).size).toBe(0);
  });

  it("fails with the reason in a missing folder", () => {
    expect(() => lockFile(join(folder, "none", "lock"))).toThrow(DatabaseError);
  });
});

describe("a database", () => {
  it("is in use while a connection has it open, also between transactions", () => {
    const open = openDatabase(path);
    expect(isDatabaseInUse(path)).toBe(true);
    open.close();
    expect(isDatabaseInUse(path)).toBe(false);
  });

  it("is not in use after its process was killed", async () => {
    const module = join(import.meta.dirname, "../../../src/adapters/sqlite/database.ts");
    const script = `import { openDatabase } from ${JSON.stringify(module)};
      openDatabase(${JSON.stringify(path)});
      console.log("open");
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    expect(isDatabaseInUse(path)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect([existsSync(`${path}-wal`), isDatabaseInUse(path)]).toEqual([true, false]);
  });

  it("cannot be checked if it is none", () => {
    writeFileSync(path, "These are notes, and no database at all. ".repeat(50));
    expect(() => isDatabaseInUse(path)).toThrow(DatabaseError);
  });
});
