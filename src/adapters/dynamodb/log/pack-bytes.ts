import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as v from "valibot";
import type { LogItem, LogKey, PackPlace } from "../../../ports/log.ts";
import { decodeSegment } from "../../../segment/decode-segment.ts";
import { decodeSegmentKey, segmentKey } from "../../../segment/segment-key.ts";
import { decodeClusterName } from "../../../job/model/ids.ts";
import { formatInstant } from "../../../job/model/instant.ts";

/**
 * The bytes of a pack: a version, the length of its table, the table, and the segments as they were sent. The table has
 * the name, the hash and the length of each segment, as compressed JSON. No segment begins with the version, so a pack
 * that is read as a segment is rejected.
 */
const VERSION = 0x50;
const HEAD_BYTES = 5;
/** The limit of a decompressed table, which has about 150 bytes per segment. */
const MAX_TABLE_BYTES = 4 * 1024 * 1024;
/** The first bytes of a segment: its codec, and this much of its hash (src/segment/envelope.ts). */
const CHECK = { begin: 1, end: 9 } as const;

const tableRow = v.tuple([
  v.string(), // cluster
  v.number(), // sealedAt
  v.string(), // session
  v.number(), // sequence
  v.string(), // SHA-256 in base64url
  v.number(), // facts
  v.number(), // bytes
]);
type TableRow = v.InferOutput<typeof tableRow>;

export function encodePack(items: readonly LogItem[]): Uint8Array {
  const table = deflateRawSync(JSON.stringify(items.map(toRow)));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(VERSION, 0);
  head.writeUInt32BE(table.length, 1);
  return Buffer.concat([head, table, ...items.map(({ bytes }) => bytes)]);
}

/** A pack that cannot be read: it is damaged, or of a newer release. */
export class PackUnreadableError extends Error {
  override readonly name = "PackUnreadableError";

  constructor({ shard, arrivedAt }: PackPlace, problem: string, options?: ErrorOptions) {
    super(
      `Cannot read the pack of the log in shard ${shard} that arrived at ${formatInstant(arrivedAt)}: ${problem} ` +
        "If a later release of Outlive wrote it, update Outlive. Otherwise restore the item from a backup.",
      options,
    );
  }
}

/** The segments of a pack. Throws PackUnreadableError. The caller that opens a segment verifies its content. */
export function decodePack(bytes: Uint8Array, pack: PackPlace): readonly LogItem[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [version] = all;
  if (version !== VERSION || all.length < HEAD_BYTES) {
    throw new PackUnreadableError(pack, `it has version ${version}, and this release reads version ${VERSION}.`);
  }
  let begin = HEAD_BYTES + all.readUInt32BE(1);
  const items = readTable(all.subarray(HEAD_BYTES, begin), pack).map((row): LogItem => {
    const [, , , , hash, factCount, length] = row;
    const segment = all.subarray(begin, begin + length);
    begin += length;
    const sha256 = Buffer.from(hash, "base64url");
    if (!isOfHash(segment, sha256)) {
      throw new PackUnreadableError(pack, "a segment differs from its hash in the pack's table.");
    }
    return { key: keyOf(row, pack), bytes: segment, sha256: sha256.toString("hex"), factCount };
  });
  if (begin !== all.length) throw new PackUnreadableError(pack, "its length differs from the sum in its table.");
  return items;
}

/**
 * The remains of an erased segment begin with their own hash and contain the hash of the original (decode-segment.ts).
 */
function isOfHash(segment: Buffer, sha256: Buffer): boolean {
  if (segment.subarray(CHECK.begin, CHECK.end).equals(sha256.subarray(0, CHECK.end - CHECK.begin))) return true;
  const decoded = decodeSegment(segment);
  return decoded.outcome === "decoded" && decoded.sha256 === sha256.toString("hex");
}

function toRow({ key, bytes, sha256, factCount }: LogItem): TableRow {
  const name = decodeSegmentKey(key);
  if (name === undefined) throw new TypeError(`Cannot write a pack: ${key.pk} ${key.sk} is not a segment's key.`);
  const hash = Buffer.from(sha256, "hex").toString("base64url");
  return [name.cluster, name.sealedAt, name.session, name.sequence, hash, factCount, bytes.length];
}

function keyOf([name, sealedAt, session, sequence]: TableRow, pack: PackPlace): LogKey {
  const cluster = decodeClusterName(name);
  if (cluster === undefined) throw new PackUnreadableError(pack, "its table has an invalid cluster name.");
  return { ...segmentKey({ cluster, sealedAt, session, sequence }), pack };
}

function readTable(compressed: Uint8Array, pack: PackPlace): readonly TableRow[] {
  try {
    const text = inflateRawSync(compressed, { maxOutputLength: MAX_TABLE_BYTES }).toString();
    return v.parse(v.array(tableRow), JSON.parse(text));
  } catch (cause) {
    // zlib, JSON and valibot have an error class each; all of them mean that the bytes are not a table.
    if (cause instanceof Error) throw new PackUnreadableError(pack, "its table is damaged.", { cause });
    throw cause;
  }
}
