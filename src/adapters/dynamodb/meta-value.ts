import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { bytes, text } from "./attribute.ts";

/** The first byte names the codec. */
const DEFLATE = 1;
/** With its keys, a shorter value fits one write unit. */
const SHORT = 700;
/** An item of 400 KB of text that compresses well. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The value of a record as an attribute: a long one is compressed. Most long values are bytes in base64, which take a
 * third more than the bytes.
 */
export function fromValue(value: string): AttributeValue {
  const plain = Buffer.from(value);
  if (plain.length < SHORT) return text(value);
  return bytes(Buffer.concat([Buffer.of(DEFLATE), deflateRawSync(plain)]));
}

/** The inverse of {@link fromValue}. An earlier release stored text only. Damaged bytes are an empty value. */
export function toValue({ B, S = "" }: AttributeValue): string {
  if (B === undefined) return S;
  if (B[0] !== DEFLATE) return "";
  try {
    return inflateRawSync(B.subarray(1), { maxOutputLength: MOST_BYTES }).toString();
  } catch (cause) {
    // zlib's errors have a code. The codec of the record rejects an empty value and names the record.
    if (cause instanceof Error && "code" in cause) return "";
    throw cause;
  }
}
