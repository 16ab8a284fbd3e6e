import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createS3Objects } from "../../../src/adapters/s3/s3-objects.ts";
import { describeObjectStore } from "../../contract/describe-object-store.ts";
import { collect } from "../../support/running/collect.ts";
import { s3Error, SmallS3 } from "../../support/aws/small-s3.ts";

let s3: SmallS3;
beforeEach(async () => {
  s3 = await SmallS3.start();
});
afterEach(() => s3.stop());

const RETRY = { attempts: 3, pause: async () => undefined };
const open = (options = {}) => createS3Objects(s3.client(), { bucket: "bucket", retry: RETRY, ...options });

describeObjectStore("a bucket", () => open());
describeObjectStore("a folder of a bucket", () => open({ prefix: "archive" }));

describe("objects in a bucket", () => {
  it("have their keys below the prefix", async () => {
    await open({ prefix: "archive" }).putIfAbsent("jobs/a", Buffer.from("a"));
    expect([...s3.objects.keys()]).toEqual(["archive/jobs/a"]);
    expect(open({ prefix: "archive" }).name).toBe("s3://bucket/archive");
    expect(open().name).toBe("s3://bucket");
  });

  it("are listed page by page", async () => {
    s3.pageKeys = 2;
    for (const key of ["a/1", "a/2", "a/3", "a/4", "a/5", "b/1"]) await open().putIfAbsent(key, Buffer.from("12"));
    expect(await collect(open().list("a/"))).toEqual(
      ["a/1", "a/2", "a/3", "a/4", "a/5"].map((key) => ({ key, bytes: 2 })),
    );
  });

  it("are written again after a conflict with another writer", async () => {
    s3.refusals.push(s3Error(409, "ConditionalRequestConflict"), s3Error(409, "ConditionalRequestConflict"));
    expect(await open().putIfAbsent("a", Buffer.from("a"))).toBe("stored");
    expect(s3.requests).toBe(3);
  });

  it("are not written if the conflict lasts", async () => {
    for (let attempt = 0; attempt < 3; attempt += 1) s3.refusals.push(s3Error(409, "ConditionalRequestConflict"));
    await expect(open().putIfAbsent("a", Buffer.from("a"))).rejects.toThrow("Bucket bucket rejected the request.");
    expect(s3.objects.size).toBe(0);
  });

  it.each([
    ["put", () => open().putIfAbsent("a", Buffer.from("a"))],
    ["read", () => open().read("a")],
    ["list", () => collect(open().list(""))],
    ["remove", () => open().remove("a")],
  ])("name the bucket in the error of a %s that S3 refuses", async (_, request) => {
    s3.refusals.push(s3Error(503, "SlowDown"));
    await expect(request()).rejects.toThrow("Bucket bucket is throttled.");
    s3.refusals.push(s3Error(403, "AccessDenied"));
    await expect(request()).rejects.toThrow("Bucket bucket: access denied");
  });

  it("are in no bucket that does not exist", async () => {
    const elsewhere = createS3Objects(s3.client(), { bucket: "other" });
    await expect(elsewhere.read("a")).rejects.toThrow("Bucket other does not exist");
  });
});

/** Written, removed and written again, beside a key that begins like it. */
async function rewrite(): Promise<void> {
  const store = open({ prefix: "archive" });
  await store.putIfAbsent("jobs/a", Buffer.from("first"));
  await store.remove("jobs/a");
  await store.putIfAbsent("jobs/a", Buffer.from("second"));
  await store.putIfAbsent("jobs/ab", Buffer.from("other"));
}

describe("an object in a bucket that keeps versions", () => {
  it.each([1, 2, 1000])("is erased with all its versions and delete markers, from lists of %i keys", async (keys) => {
    await rewrite();
    s3.pageKeys = keys;
    await open({ prefix: "archive" }).erase?.("jobs/a");
    expect([...s3.versions.keys()]).toEqual(["archive/jobs/ab"]);
    expect([...s3.objects.keys()]).toEqual(["archive/jobs/ab"]);
  });

  it("is erased twice", async () => {
    await rewrite();
    await open({ prefix: "archive" }).erase?.("jobs/a");
    await expect(open({ prefix: "archive" }).erase?.("jobs/a")).resolves.toBeUndefined();
  });

  it("is erased under Object Lock by a principal that may bypass it", async () => {
    await rewrite();
    s3.isLocked = true;
    await open({ prefix: "archive" }).erase?.("jobs/a");
    expect([...s3.versions.keys()]).toEqual(["archive/jobs/ab"]);
  });

  it("is not erased where S3 refuses it", async () => {
    await rewrite();
    s3.refusals.push(s3Error(403, "AccessDenied"));
    await expect(open({ prefix: "archive" }).erase?.("jobs/a")).rejects.toThrow("Bucket bucket: access denied");
  });

  it.each([1, 1000])("keeps its current version where hidden ones are erased, from lists of %i keys", async (keys) => {
    await rewrite();
    await open({ prefix: "archive" }).remove("jobs/ab");
    s3.pageKeys = keys;
    expect(await open({ prefix: "archive" }).eraseHidden?.("jobs/", () => true)).toBe(4);
    expect([...s3.versions.values()].flat().map(({ bytes }) => bytes?.toString())).toEqual(["second"]);
    expect(await open({ prefix: "archive" }).eraseHidden?.("jobs/", () => true)).toBe(0);
  });

  it("keeps hidden versions of keys that are not wanted", async () => {
    await rewrite();
    expect(await open({ prefix: "archive" }).eraseHidden?.("jobs/", (key) => key !== "jobs/a")).toBe(0);
  });
});
