import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { bytes, text } from "./attribute.ts";

/** The JSON text of a record that contains nothing but compressed bytes in base64. */
const PACKED = /^\{"packed":"([A-Za-z0-9+/]+={0,2})"\}$/;

/**
 * The value of a record as an attribute. Bytes in base64 are stored as bytes, which take three quarters of the size.
 * All other values are text.
 */
export function fromValue(value: string): AttributeValue {
  const base64 = PACKED.exec(value)?.[1];
  const packed = base64 === undefined ? undefined : Buffer.from(base64, "base64");
  return packed === undefined || toPacked(packed) !== value ? text(value) : bytes(packed);
}

/** The inverse of {@link fromValue}. An earlier release stored text only. */
export function toValue({ B, S = "" }: AttributeValue): string {
  return B === undefined ? S : toPacked(B);
}

function toPacked(packed: Uint8Array): string {
  return `{"packed":"${Buffer.from(packed).toString("base64")}"}`;
}
