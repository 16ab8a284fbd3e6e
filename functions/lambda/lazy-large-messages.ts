import type { LargeMessages } from "../../src/ports/large-messages.ts";

/** Messages that no record holds are rare: the S3 client is loaded with the first of them, and costs no start before. */
export function lazyLargeMessages(bucket: string, forcePathStyle: boolean): LargeMessages {
  let opened: Promise<LargeMessages> | undefined;
  return {
    keep: async (name, bytes) => {
      opened ??= open(bucket, forcePathStyle);
      await (await opened).keep(name, bytes);
    },
  };
}

async function open(bucket: string, forcePathStyle: boolean): Promise<LargeMessages> {
  const [{ createS3Client }, { createS3LargeMessages }] = await Promise.all([
    import("../../src/s3/s3-client.ts"),
    import("../../src/s3/s3-large-messages.ts"),
  ]);
  return createS3LargeMessages(createS3Client({ forcePathStyle }), bucket);
}
