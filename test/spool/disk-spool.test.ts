import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { open as openFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SpooledSegment } from "../../src/ports/spool.ts";
import { DiskSpool } from "../../src/spool/disk-spool.ts";
import { SpoolBrokenError } from "../../src/spool/spool-broken-error.ts";

let folder = "";
const damaged: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-spool-"));
  damaged.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(maxBytes = 1_000_000): Promise<DiskSpool> {
  return DiskSpool.open({ folder, maxBytes, onDamaged: (_, bytes) => damaged.push(`${bytes} bytes`) });
}

function segment(number: number, size = 20): SpooledSegment {
  return { bytes: new Uint8Array(size).fill(number), factCount: number, position: `{"pods":${number}}` };
}

function files(): readonly string[] {
  return readdirSync(folder).sort();
}

describe("a spool on disk", () => {
  it("returns its segments, oldest first, until they are dropped", async () => {
    const spool = await open();
    await spool.append([segment(1), segment(2)]);
    await spool.append([segment(3)]);
    expect(await spool.peek(2)).toMatchObject([
      { factCount: 1, position: '{"pods":1}' },
      { factCount: 2, position: '{"pods":2}' },
    ]);
    expect((await spool.peek(1)).map(({ bytes }) => [...bytes])).toEqual([[...segment(1).bytes]]);
    await spool.drop(2);
    expect(await spool.peek(9)).toMatchObject([{ factCount: 3 }]);
  });

  it("flushes segments to the disk before it confirms them", async () => {
    const handle = await openFile(join(folder, "other"), "w");
    const datasync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, "datasync");
    await handle.close();
    const spool = await open();
    await spool.append([segment(1)]);
    expect(datasync).toHaveBeenCalled();
    datasync.mockRestore();
  });

  it("is readable by its owner only", async () => {
    const nested = join(folder, "nested");
    const spool = await DiskSpool.open({ folder: nested, maxBytes: 1_000, onDamaged: () => undefined });
    await spool.append([segment(1)]);
    const files = readdirSync(nested).map((file) => statSync(join(nested, file)).mode & 0o777);
    expect([statSync(nested).mode & 0o777, ...files]).toEqual([0o700, 0o600]);
  });

  it("keeps its segments for the next process", async () => {
    await (await open()).append([segment(1), segment(2)]);
    const next = await open();
    expect(next.size).toBe(2);
    expect(next.lastPosition).toBe('{"pods":2}');
    await next.append([segment(3)]);
    expect((await (await open()).peek(9)).map(({ factCount }) => factCount)).toEqual([1, 2, 3]);
  });

  it("deletes a file once all its segments were sent", async () => {
    const spool = await open();
    await spool.append([segment(1), segment(2)]);
    await spool.drop(1);
    expect(files()).toHaveLength(1);
    await spool.drop(1);
    expect(files()).toEqual([]);
    expect(spool.bytes).toBe(0);
    await spool.append([segment(3)]);
    expect(await spool.peek(9)).toMatchObject([{ factCount: 3 }]);
  });

  it("accepts segments up to its limit, all or none", async () => {
    const spool = await open(200);
    expect(await spool.append([segment(1)])).toBe("appended");
    expect(await spool.append([segment(2), segment(3, 200)])).toBe("full");
    expect(spool.size).toBe(1);
    await spool.drop(1);
    expect(await spool.append([segment(2)])).toBe("appended");
  });

  it.each([1, 5, 11, 12, 13, 40])(
    "drops a tail that was cut %i bytes into a record, tells of it, and goes on",
    async (kept) => {
      const spool = await open();
      await spool.append([segment(1), segment(2)]);
      const [name] = files();
      const path = join(folder, name ?? "");
      const whole = readFileSync(path);
      writeFileSync(path, whole.subarray(0, whole.length / 2 + kept));
      const next = await open();
      expect(damaged).toEqual([`${kept} bytes`]);
      expect(await next.peek(9)).toMatchObject([{ factCount: 1 }]);
      expect(next.lastPosition).toBe('{"pods":1}');
      await next.append([segment(4)]);
      expect((await (await open()).peek(9)).map(({ factCount }) => factCount)).toEqual([1, 4]);
    },
  );

  it("detects a record with a flipped bit", async () => {
    await (await open()).append([segment(1)]);
    const path = join(folder, files()[0] ?? "");
    const content = readFileSync(path);
    content.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1);
    writeFileSync(path, content);
    expect((await open()).size).toBe(0);
    expect(damaged).toEqual([`${content.length} bytes`]);
    expect(statSync(path).size).toBe(0);
  });

  it("does not touch other files", async () => {
    writeFileSync(join(folder, "README"), "mine");
    const spool = await open();
    expect(spool.size).toBe(0);
    appendFileSync(join(folder, "README"), ".");
    expect(files()).toEqual(["README"]);
  });

  it("reports an unusable folder with advice", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    chmodSync(file, 0o400);
    await expect(
      DiskSpool.open({ folder: join(file, "spool"), maxBytes: 1, onDamaged: () => undefined }),
    ).rejects.toThrow(SpoolBrokenError);
  });
});
