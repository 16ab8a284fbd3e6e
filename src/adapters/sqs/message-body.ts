/** What a message's body says. */
export type DecodedBody =
  | { readonly outcome: "decoded"; readonly bytes: Uint8Array }
  | { readonly outcome: "rejected"; readonly reason: string };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Bytes as the body of a message. SQS accepts the characters of XML only. */
export function encodeMessageBody(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** The inverse of {@link encodeMessageBody}. Node would silently skip invalid characters, so they are rejected here. */
export function decodeMessageBody(body: string): DecodedBody {
  const isBase64 = body.length > 0 && BASE64.test(body);
  if (isBase64) return { outcome: "decoded", bytes: Buffer.from(body, "base64") };
  return { outcome: "rejected", reason: `The message is not base64. It has ${body.length} characters.` };
}
