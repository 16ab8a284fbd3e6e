import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { uploadFile } from "../../../src/adapters/s3/upload-file.ts";
import { s3Error, SmallS3 } from "../../support/aws/small-s3.ts";

const PART_BYTES = 16 * 1024 ** 2;

let s3: SmallS3;
let folder: string;
beforeEach(async () => {
  s3 = await SmallS3.start();
  folder = mkdtempSync(join(tmpdir(), "outlive-upload-"));
});
afterEach(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true });
});

function fileOf(bytes: Buffer): string {
  const path = join(folder, "file");
  writeFileSync(path, bytes);
  return path;
}

const upload = (bytes: Buffer, prefix = "") =>
  uploadFile({ client: s3.client(), bucket: "bucket", prefix }, "copy", fileOf(bytes));

describe("an uploaded file", () => {
  it.each([
    ["empty", 0],
    ["small", 10],
    ["of one part", PART_BYTES],
    ["of several parts", 2 * PART_BYTES + 1],
  ])("that is %s arrives as it is", async (_, size) => {
    const bytes = Buffer.alloc(size, "outlive ");
    await upload(bytes);
    expect(s3.objects.get("copy")?.equals(bytes)).toBe(true);
    expect(s3.uploads.size).toBe(0);
  });

  it("is below the prefix", async () => {
    await upload(Buffer.from("a"), "backups");
    expect([...s3.objects.keys()]).toEqual(["backups/copy"]);
  });

  it("does not exist if a part is refused, and leaves no part", async () => {
    s3.refusals.push(undefined, undefined, s3Error(403, "AccessDenied"));
    await expect(upload(Buffer.alloc(PART_BYTES + 1))).rejects.toThrow("Bucket bucket");
    expect(s3.requests).toBe(4);
    expect(s3.objects.size).toBe(0);
    expect(s3.uploads.size).toBe(0);
  });
});
