import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import * as v from "valibot";

/** The most bytes that a text is unpacked to. */
export const MOST_BYTES = 16 * 1024 * 1024;

/** Bytes as short text for a record: Brotli in base64, after a character that names the format. */
export function packText(format: string, bytes: Uint8Array): string {
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return format + brotliCompressSync(bytes, { params }).toString("base64");
}

/** The inverse of {@link packText}, by the format; `undefined` if the text is damaged or of a later release. */
export function unpackText<Value>(
  text: string,
  formats: Readonly<Record<string, (compressed: Uint8Array) => Value>>,
): Value | undefined {
  try {
    return formats[text.slice(0, 1)]?.(Buffer.from(text.slice(1), "base64"));
  } catch (cause) {
    if (isDamage(cause)) return undefined;
    throw cause;
  }
}

export function decompressed(bytes: Uint8Array): Buffer {
  return brotliDecompressSync(bytes, { maxOutputLength: MOST_BYTES });
}

/** zlib's errors have a code. The others are those of JSON.parse, of valibot and of numbers that end too early. */
function isDamage(cause: unknown): boolean {
  const isOfZlib = cause instanceof Error && "code" in cause;
  return isOfZlib || cause instanceof SyntaxError || cause instanceof RangeError || v.isValiError(cause);
}

const JSON_V1 = "1";

/** A value as JSON. */
export function packedJson(value: unknown): string {
  return packText(JSON_V1, Buffer.from(JSON.stringify(value)));
}

/** The inverse of {@link packedJson}; `undefined` if the text is damaged or of a later release. */
export function readPackedJson(text: string): unknown {
  return unpackText<unknown>(text, { [JSON_V1]: (bytes): unknown => JSON.parse(decompressed(bytes).toString()) });
}
