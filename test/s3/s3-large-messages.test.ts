import { S3Client } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { createS3LargeMessages } from "../../src/s3/s3-large-messages.ts";
import { scripted } from "../support/scripted-answers.ts";

describe("large messages in a bucket", () => {
  it("are put there under their name", async () => {
    const { config, requests } = scripted([{ status: 200, body: "" }]);
    await createS3LargeMessages(new S3Client(config), "aside").keep("ab12", Uint8Array.of(1, 2, 3));
    expect(requests).toHaveLength(1);
  });

  it.each([
    [403, "AwsAccessDeniedError"],
    [503, "AwsUnavailableError"],
  ])("are not kept at status %i, and the sentence names the bucket", async (status, name) => {
    const { config } = scripted([{ status, body: "" }]);
    const keep = createS3LargeMessages(new S3Client(config), "aside").keep("ab12", Uint8Array.of(1));
    await expect(keep).rejects.toMatchObject({ name, message: expect.stringContaining("Bucket aside") as string });
  });
});
