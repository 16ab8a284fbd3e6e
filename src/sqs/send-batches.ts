/** SQS: a message has at most 1 MiB (1,048,576 bytes of UTF-8; 256 KiB before August 2025), and so have the messages of one request together. */
export const MAX_MESSAGE_BYTES = 1_048_576;
/** SQS: at most 10 messages in one request, of whatever kind. */
export const MAX_MESSAGES = 10;

/** Messages in as few requests as they fit in, in their order. Each is to fit alone. */
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
