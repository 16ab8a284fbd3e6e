import type { IncomingMessage, ServerResponse } from "node:http";

/** The body of a request; `undefined` if its sender was killed. */
export async function readAll(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  } catch (cause) {
    if (cause instanceof Error) return undefined;
    throw cause;
  }
  return Buffer.concat(chunks);
}

export function respondJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0", "content-length": bytes.length });
  response.end(bytes);
}

/** The entries of a record with their names as they are typed. */
export function addressed<Name extends string, Value>(
  record: Readonly<Record<Name, Value>>,
): (readonly [Name, Value])[] {
  return Object.entries(record) as [Name, Value][];
}

/** The bytes of a base64 text with one bit changed. */
export function flipped(body: string, random: () => number): string {
  const bytes = Buffer.from(body, "base64");
  const at = Math.floor(random() * bytes.length);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
  return bytes.toString("base64");
}
