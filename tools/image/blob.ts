import { createHash } from "node:crypto";

/** A content-addressed file of an OCI layout. */
export interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly bytes: Uint8Array;
}

export function blobOf(mediaType: string, bytes: Uint8Array): Blob {
  return { mediaType, digest: digestOf(bytes), bytes };
}

export function jsonBlobOf(mediaType: string, document: object): Blob {
  return blobOf(mediaType, Buffer.from(JSON.stringify(document)));
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** How another document refers to a blob. */
export function descriptorOf({ mediaType, digest, bytes }: Blob) {
  return { mediaType, digest, size: bytes.length };
}
