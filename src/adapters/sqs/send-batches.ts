/** The limit of SQS for a message, and for all messages of a request: 1 MiB of UTF-8 (256 KiB before August 2025). */
export const MAX_MESSAGE_BYTES = 1_048_576;
/** The limit of SQS for the messages in a request. */
export const MAX_MESSAGES = 10;

/** Messages in as few batches as possible, in their order. Each message must fit into a batch. */
export function inBatches<Waiting extends { readonly body: string }>(
  waiting: readonly Waiting[],
): readonly (readonly Waiting[])[] {
  const batches: Waiting[][] = [];
  let bytes = 0;
  for (const one of waiting) {
    const size = Buffer.byteLength(one.body);
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === MAX_MESSAGES || bytes + size > MAX_MESSAGE_BYTES) {
      batches.push([one]);
      bytes = size;
    } else {
      batch.push(one);
      bytes += size;
    }
  }
  return batches;
}
