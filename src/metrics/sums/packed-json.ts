import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** The first character names the format: JSON, compressed, in base64. */
const BROTLI_V1 = "1";
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** A value as short text for a record. */
export function packedJson(value: unknown): string {
  const json = Buffer.from(JSON.stringify(value));
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: json.length };
  return BROTLI_V1 + brotliCompressSync(json, { params }).toString("base64");
}

/** The inverse of {@link packedJson}; `undefined` if the text is damaged or of a later release. */
export function readPackedJson(text: string): unknown {
  if (!text.startsWith(BROTLI_V1)) return undefined;
  try {
    const bytes = brotliDecompressSync(Buffer.from(text.slice(1), "base64"), { maxOutputLength: MAX_TEXT_BYTES });
    return JSON.parse(bytes.toString());
  } catch (cause) {
    // zlib's errors have a code, those of JSON.parse are SyntaxErrors.
    if (cause instanceof SyntaxError || (cause instanceof Error && "code" in cause)) return undefined;
    throw cause;
  }
}
