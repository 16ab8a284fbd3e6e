/** The limit of a body: far more than a Status, a Namespace or a version needs. */
const MAX_BYTES = 256 * 1024;

/** The beginning of a body that should be small. */
export async function bodyText({ body }: { readonly body: AsyncIterable<Uint8Array> }): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of body) {
    parts.push(bytes);
    length += bytes.length;
    if (length > MAX_BYTES) break;
  }
  return Buffer.concat(parts).toString("utf8");
}
