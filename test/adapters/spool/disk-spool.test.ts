import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SpooledSegment } from "../../../src/ports/spool.ts";
import { DiskSpool } from "../../../src/adapters/spool/disk-spool.ts";
import { SpoolBrokenError } from "../../../src/adapters/spool/spool-record.ts";
import { failOnce, openFiles, recordFileEvents } from "../../support/files/file-events.ts";

let folder = "";
const damaged: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-spool-"));
  damaged.length = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

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

  it("confirms segments when their file, and the folder of a new file, are flushed", async () => {
    const spool = await open();
    const events = await recordFileEvents(["write", "datasync", "sync"]);
    const flushed = ["write begins", "write ends", "datasync begins", "datasync ends"];
    await spool.append([segment(1)]);
    expect(events).toEqual([...flushed, "sync begins", "sync ends"]);
    await spool.append([segment(2)]);
    expect(events.slice(flushed.length + 2)).toEqual(flushed);
  });

  it("leaves no file open", async () => {
    const spool = await open();
    const before = openFiles();
    await spool.append([segment(1)]);
    expect(openFiles()).toBe(before);
    await spool.append([segment(2)]);
    expect(openFiles()).toBe(before);
    await spool.peek(2);
    expect(openFiles()).toBe(before);
  });

  describe.each(["ENOSPC", "EDQUOT"])("on a disk that answers %s", (code) => {
    it.each(["write", "datasync"] as const)("is full if %s fails, and continues when there is room", async (method) => {
      const spool = await open();
      await spool.append([segment(1)]);
      await failOnce(method, Object.assign(new Error("no room"), { code }));
      expect(await spool.append([segment(2)])).toBe("full");
      expect(spool.size).toBe(1);
      expect(await spool.append([segment(4)])).toBe("appended");
      expect((await spool.peek(9)).map(({ bytes }) => bytes[0])).toEqual([1, 4]);
      expect((await (await open()).peek(9)).map(({ bytes }) => bytes[0])).toEqual([1, 4]);
    });
  });

  it.each([Object.assign(new Error("broken disk"), { code: "EIO" }), new Error("broken disk")])(
    "is broken on another error: %j",
    async (error) => {
      const spool = await open();
      await failOnce("datasync", error);
      await expect(spool.append([segment(1)])).rejects.toThrow(SpoolBrokenError);
      expect(spool.size).toBe(0);
    },
  );

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

  it("has no position before a segment with one", async () => {
    const spool = await open();
    expect(spool.lastPosition).toBeUndefined();
    await spool.append([{ bytes: Uint8Array.of(1), factCount: 1 }]);
    expect(spool.lastPosition).toBeUndefined();
  });

  it("counts the bytes on disk like the process that wrote them", async () => {
    const spool = await open();
    await spool.append([segment(1), segment(2, 30), segment(3, 40)]);
    expect((await open()).bytes).toBe(spool.bytes);
    expect(statSync(join(folder, "0000000001.spool")).size).toBe(spool.bytes);
    expect(damaged).toEqual([]);
  });

  it("starts a file per process, because the last file may be damaged", async () => {
    await (await open()).append([segment(1)]);
    await (await open()).append([segment(2)]);
    expect(files()).toEqual(["0000000001.spool", "0000000002.spool"]);
  });

  it("numbers files on from any number", async () => {
    await (await open()).append([segment(1)]);
    renameSync(join(folder, "0000000001.spool"), join(folder, "1234567890.spool"));
    const next = await open();
    expect(await next.peek(1)).toMatchObject([{ position: '{"pods":1}' }]);
    await next.append([segment(2)]);
    expect(files()).toEqual(["1234567890.spool", "1234567891.spool"]);
  });

  it("returns segments of many files in the order of their appends", async () => {
    const numbers = Array.from({ length: 12 }, (_, number) => number);
    for (const number of numbers) await (await open()).append([segment(number)]);
    expect((await (await open()).peek(99)).map(({ bytes }) => bytes[0])).toEqual(numbers);
  });

  it.each([
    ["the same file up to 8 MiB", 8 * 1024 * 1024 - 1, 1],
    ["another file from 8 MiB on", 8 * 1024 * 1024, 2],
  ])("writes to %s", async (_, filled, count) => {
    const spool = await open(100_000_000);
    await spool.append([segment(1)]);
    const overhead = spool.bytes - 20;
    await spool.append([segment(2, filled - spool.bytes - overhead)]);
    expect(spool.bytes).toBe(filled);
    await spool.append([segment(3)]);
    expect(files()).toHaveLength(count);
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

  it.each([
    ["accepts segments that fill it to the byte", 0, "appended"],
    ["refuses segments of one byte more", 1, "full"],
  ])("%s", async (_, missing, outcome) => {
    const measured = await open();
    await measured.append([segment(1), segment(2)]);
    await measured.drop(2);
    await measured.append([segment(1), segment(2)]);
    const { bytes } = measured;
    await measured.drop(2);
    expect(await (await open(bytes - missing)).append([segment(1), segment(2)])).toBe(outcome);
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
    expect(readFileSync(join(folder, "README"), "utf8")).toBe("mine.");
    expect(damaged).toEqual([]);
  });

  it("reports a folder that cannot be flushed", async () => {
    const spool = await open();
    await failOnce("sync", new Error("broken disk"));
    await expect(spool.append([segment(1)])).rejects.toThrow(SpoolBrokenError);
  });

  it("reports a file that was changed under the process", async () => {
    const spool = await open();
    await spool.append([segment(1)]);
    writeFileSync(join(folder, "0000000001.spool"), "other");
    await expect(spool.peek(1)).rejects.toThrow("0000000001.spool is damaged: the record at byte");
  });

  it("reports a file that another process removed", async () => {
    const spool = await open();
    await spool.append([segment(1)]);
    unlinkSync(join(folder, "0000000001.spool"));
    await expect(spool.drop(1)).rejects.toThrow(SpoolBrokenError);
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
