import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isBackupPlace, openBackupPlace } from "../../../cli/backup/backup-place.ts";
import { SmallS3 } from "../../support/aws/small-s3.ts";

let s3: SmallS3;
let folder: string;
beforeEach(async () => {
  s3 = await SmallS3.start();
  vi.stubEnv("AWS_ENDPOINT_URL_S3", s3.endpoint);
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  folder = mkdtempSync(join(tmpdir(), "outlive-places-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await s3.stop();
  rmSync(folder, { recursive: true });
});

const at = (second: number) => new Date(Date.UTC(2026, 10, 29, 2, 17, second));
const copies = ["outlive-20261129T021701Z.sqlite", "outlive-20261129T021702Z.sqlite"];

describe.each<[string, () => string, (name: string) => void, (name: string) => string]>([
  [
    "a folder",
    () => `${join(folder, "backups")}/`,
    (name) => writeFileSync(join(folder, "backups", name), ""),
    (name) => readFileSync(join(folder, "backups", name), "utf8"),
  ],
  [
    "a folder in S3",
    () => "s3://bucket/backups",
    (name) => s3.objects.set(`backups/${name}`, Buffer.from("")),
    (name) => String(s3.objects.get(`backups/${name}`)),
  ],
])("%s with backups", (_, target, put, read) => {
  const place = () => openBackupPlace(target());

  it("names each by its time, and lists the oldest first", async () => {
    const { add, list } = await place();
    for (const second of [2, 1]) await add(at(second), async (file) => writeFileSync(file, `copy ${second}`));
    expect(await list()).toEqual(copies);
    expect(copies.map(read)).toEqual(["copy 1", "copy 2"]);
  });

  it("does not list what else is there", async () => {
    const { add, list } = await place();
    await add(at(1), async (file) => writeFileSync(file, "copy"));
    for (const name of ["outlive-notes.txt", "outlive-20261129T021702Z.sqlite.partial", "other.sqlite"]) put(name);
    expect(await list()).toEqual(copies.slice(0, 1));
  });

  it("removes one by its name", async () => {
    const { add, list, remove } = await place();
    for (const second of [1, 2]) await add(at(second), async (file) => writeFileSync(file, "copy"));
    await remove(copies[0] ?? "");
    expect(await list()).toEqual(copies.slice(1));
  });
});

describe("a folder in S3 for backups", () => {
  it("gets nothing if the copy fails, and leaves no temporary file", async () => {
    const { add } = await openBackupPlace("s3://bucket/backups");
    let written = "";
    const failed = add(at(1), async (file) => {
      written = file;
      throw new Error("The database is damaged.");
    });
    await expect(failed).rejects.toThrow("The database is damaged.");
    expect(s3.objects.size).toBe(0);
    expect(existsSync(dirname(written))).toBe(false);
  });
});

describe("the target of a backup", () => {
  it("is a folder if its name says so, or if there is one", () => {
    expect([folder, `${folder}/new/`, "s3://bucket/a"].map(isBackupPlace)).toEqual([true, true, true]);
    expect([join(folder, "new"), "copy.sqlite"].map(isBackupPlace)).toEqual([false, false]);
  });
});
