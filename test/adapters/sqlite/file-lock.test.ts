import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatabaseError } from "../../../src/adapters/sqlite/database-error.ts";
import { lockFile } from "../../../src/adapters/sqlite/file-lock.ts";

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
