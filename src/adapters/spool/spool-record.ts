import { crc32 } from "node:zlib";
import type { SpooledSegment } from "../../ports/spool.ts";
import { errorMessage } from "../../job/text/error-message.ts";

/**
 * A record of the spool: two lengths and a checksum (4 bytes each, big-endian), a head in JSON, then the segment.
 * A process killed during a write leaves a record that is too short or whose checksum differs.
 */
const PREFIX_BYTES = 12;
/** Segments have at most 46 KiB, so a greater length is damage. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

interface RecordHead {
  readonly factCount: number;
  readonly position?: string;
}

export function encodeRecord({ bytes, factCount, position }: SpooledSegment): Buffer {
  const head = Buffer.from(JSON.stringify({ factCount, ...(position !== undefined && { position }) }));
  const body = Buffer.concat([head, bytes]);
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(head.length, 0);
  prefix.writeUInt32BE(body.length, 4);
  prefix.writeUInt32BE(crc32(body), 8);
  return Buffer.concat([prefix, body]);
}

/** The record at `at`, and where the next one starts; `undefined` where it is truncated or damaged. */
export function decodeRecord(
  file: Buffer,
  at: number,
): { readonly segment: SpooledSegment; readonly end: number } | undefined {
  if (at + PREFIX_BYTES > file.length) return undefined;
  const headLength = file.readUInt32BE(at);
  const bodyLength = file.readUInt32BE(at + 4);
  const begin = at + PREFIX_BYTES;
  const end = begin + bodyLength;
  if (headLength > bodyLength || bodyLength > MAX_BODY_BYTES || end > file.length) return undefined;
  const body = file.subarray(begin, end);
  if (crc32(body) !== file.readUInt32BE(at + 8)) return undefined;
  const head = headOf(body.toString("utf8", 0, headLength));
  if (head === undefined) return undefined;
  return { segment: { ...head, bytes: body.subarray(headLength) }, end };
}

/** The checksum does not cover the lengths, so `text` may not be a head although its bytes are intact. */
function headOf(text: string): RecordHead | undefined {
  try {
    const head: unknown = JSON.parse(text);
    return isHead(head) ? head : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

function isHead(value: unknown): value is RecordHead {
  if (typeof value !== "object" || value === null || !("factCount" in value)) return false;
  const isPositionText = !("position" in value) || typeof value.position === "string";
  return typeof value.factCount === "number" && isPositionText;
}

/** The spool's folder is unusable. */
export class SpoolBrokenError extends Error {
  override readonly name = "SpoolBrokenError";
  constructor(folder: string, cause: unknown) {
    const reason = errorMessage(cause);
    super(`Cannot use the spool in ${folder}: ${reason}. Use a writable folder of its own on a disk with free space.`, {
      cause,
    });
  }
}
