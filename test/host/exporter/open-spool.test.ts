import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFailure } from "../../../src/host/command-line/command-failure.ts";
import { openSpool } from "../../../src/host/exporter/open-spool.ts";
import { createJournal } from "../../../src/ports/runtime/journal.ts";
import { SpoolBrokenError } from "../../../src/adapters/spool/spool-record.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-spool-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(path = folder) {
  const journal = createJournal(
    () => undefined,
    () => 0,
  );
  return openSpool(path, 1_000_000, journal);
}

describe("the spool of an exporter", () => {
  it("is refused while another exporter has its folder", async () => {
    const first = await open();
    const second = open();
    await expect(second).rejects.toBeInstanceOf(CommandFailure);
    await expect(second).rejects.toThrow(`Another exporter uses the spool in ${folder}. Set --spool`);
    first.release();
  });

  it("passes to the next exporter after its release, with its segments", async () => {
    const first = await open();
    await first.spool.append([{ bytes: new Uint8Array(9), factCount: 1 }]);
    first.release();
    const second = await open();
    expect(second.spool.size).toBe(1);
    second.release();
  });

  it("is created if it does not exist", async () => {
    const { release } = await open(join(folder, "a", "b"));
    release();
  });

  it("is refused where a file has its name", async () => {
    writeFileSync(join(folder, "file"), "");
    await expect(open(join(folder, "file"))).rejects.toBeInstanceOf(SpoolBrokenError);
  });
});
