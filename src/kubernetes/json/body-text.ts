/** A Status, a Namespace and a version are far smaller. */
const MOST_BYTES = 256 * 1024;

/** The beginning of a body that is meant to be small. */
export async function bodyText({ body }: { readonly body: AsyncIterable<Uint8Array> }): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of body) {
    parts.push(bytes);
    length += bytes.length;
    if (length > MOST_BYTES) break;
  }
  return Buffer.concat(parts).toString("utf8");
}
