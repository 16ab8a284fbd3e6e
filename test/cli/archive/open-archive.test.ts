import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openArchive, openExistingArchive } from "../../../cli/archive/open-archive.ts";
import { SmallS3 } from "../../support/aws/small-s3.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-archive-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("an archive in a folder", () => {
  it("need not exist to be written", async () => {
    const store = await openArchive(join(folder, "new"));
    expect(await store.putIfAbsent("a", Buffer.from("a"))).toBe("stored");
  });

  it("must exist to be read", async () => {
    await expect(openExistingArchive({ archive: join(folder, "none") })).rejects.toThrow("There is no archive");
    expect((await openExistingArchive({ archive: folder })).name).toBe(folder);
  });

  it("is no file", async () => {
    writeFileSync(join(folder, "file"), "");
    await expect(openArchive(join(folder, "file"))).rejects.toThrow("is a file");
  });

  it("must be named if no deployment is", async () => {
    await expect(openExistingArchive({})).rejects.toThrow("Name an archive, or a deployment with --stage.");
  });
});

describe("an archive in a bucket", () => {
  let s3: SmallS3;
  beforeEach(async () => {
    s3 = await SmallS3.start();
    vi.stubEnv("AWS_ENDPOINT_URL_S3", s3.endpoint);
    vi.stubEnv("AWS_REGION", "eu-central-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await s3.stop();
  });

  it.each([
    ["s3://bucket", "a"],
    ["s3://bucket/", "a"],
    ["s3://bucket/some/archive/", "some/archive/a"],
  ])("has its objects below %s", async (name, key) => {
    await (await openArchive(name)).putIfAbsent("a", Buffer.from("a"));
    expect([...s3.objects.keys()]).toEqual([key]);
  });

  it("must have objects to be read", async () => {
    await expect(openExistingArchive({ archive: "s3://bucket/archive" })).rejects.toThrow("There is no archive");
    s3.objects.set("archive/manifest/a", Buffer.from("a"));
    expect((await openExistingArchive({ archive: "s3://bucket/archive" })).name).toBe("s3://bucket/archive");
  });

  it.each(["s3://", "s3://UPPER/x", "https://bucket/archive"])("is not %s", async (name) => {
    await expect(openArchive(name)).rejects.toThrow("is no folder. Name a folder, or s3://BUCKET/FOLDER.");
  });
});
