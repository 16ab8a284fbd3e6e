/**
 * `bytes` in chunks of these sizes, repeated to the end. The memory of each chunk is overwritten after the next one was
 * read, as in sources that reuse their buffers.
 */
export async function* inChunks(
  bytes: Uint8Array,
  sizes: readonly number[] = [bytes.length],
): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (let turn = 0; start < bytes.length; turn += 1) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    const chunk = Uint8Array.from(bytes.subarray(start, start + size));
    yield chunk;
    chunk.fill(0x21);
    start += size;
  }
}
