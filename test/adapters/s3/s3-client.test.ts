import { describe, expect, it } from "vitest";
import { createS3Client } from "../../../src/adapters/s3/s3-client.ts";

describe("a client for S3", () => {
  it("names the bucket in the path of an emulator's address", () => {
    expect(createS3Client({ endpoint: "http://127.0.0.1:4566" }).config.forcePathStyle).toBe(true);
  });

  it("names the bucket in the host name of AWS", () => {
    expect(createS3Client().config.forcePathStyle).toBe(false);
  });

  it("makes as many attempts as its options say", async () => {
    expect(await createS3Client({ attempts: 1 }).config.maxAttempts()).toBe(1);
    expect(await createS3Client().config.maxAttempts()).toBe(6);
  });
});
