/**
 * What DynamoDB's own protocol (`application/x-amz-json-1.0`) says of an input or output: JSON with the same names, but for bytes, which are base64. Only an
 * attribute's value has a text under `B`: an attribute that is called `B` has an object there.
 */
export function encodeDynamoJson(input: object): string {
  return JSON.stringify(input, (_, value: unknown) => (hasBytes(value) ? { B: base64Of(value.B) } : value));
}

/** What {@link encodeDynamoJson} wrote, and what DynamoDB writes. Throws SyntaxError where it is no JSON. */
export function decodeDynamoJson(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) =>
    name === "B" && typeof value === "string" ? bytesOf(value) : value,
  ) as unknown;
}

function hasBytes(value: unknown): value is { readonly B: Uint8Array } {
  return typeof value === "object" && value !== null && "B" in value && value.B instanceof Uint8Array;
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

function bytesOf(base64: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(base64, "base64");
  return new Uint8Array(buffer, byteOffset, byteLength);
}
