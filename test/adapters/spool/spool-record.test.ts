import { crc32 } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeRecord, encodeRecord } from "../../../src/adapters/spool/spool-record.ts";

/** A record with an intact checksum and any head. */
function recordWith(head: string, bytes = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(head), bytes]);
  const prefix = Buffer.alloc(12);
  prefix.writeUInt32BE(head.length, 0);
  prefix.writeUInt32BE(body.length, 4);
  prefix.writeUInt32BE(crc32(body), 8);
  return Buffer.concat([prefix, body]);
}

const SEGMENT = { bytes: Uint8Array.of(1, 2, 3), factCount: 7, position: "p" };

describe("a record of the spool", () => {
  it("decodes to the segment that was encoded, and to the start of the next record", () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.nat(),
        fc.option(fc.string({ unit: "grapheme" }), { nil: undefined }),
        (bytes, factCount, position) => {
          const segment = { bytes, factCount, ...(position !== undefined && { position }) };
          const record = encodeRecord(segment);
          const decoded = decodeRecord(Buffer.concat([Buffer.of(0), record]), 1);
          expect(decoded?.end).toBe(1 + record.length);
          expect({ ...decoded?.segment, bytes: Uint8Array.from(decoded?.segment.bytes ?? []) }).toEqual(segment);
        },
      ),
    );
  });

  it("is not decoded if it is truncated at any byte", () => {
    const record = encodeRecord(SEGMENT);
    for (let length = 0; length < record.length; length += 1) {
      expect(decodeRecord(record.subarray(0, length), 0)).toBeUndefined();
    }
  });

  it("is not decoded if any bit is flipped", () => {
    const record = encodeRecord(SEGMENT);
    for (let bit = 0; bit < record.length * 8; bit += 1) {
      const damaged = Buffer.from(record);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(decodeRecord(damaged, 0)).toBeUndefined();
    }
  });

  it.each([
    "null",
    "3",
    '"factCount"',
    "[]",
    "{}",
    '{"factCount":"1"}',
    '{"factCount":1,"position":2}',
    '{"position":"p"}',
    "{",
    "",
  ])("is not decoded if its head is %s, though the checksum is right", (head) => {
    expect(decodeRecord(recordWith(head), 0)).toBeUndefined();
  });

  it.each([
    ['{"factCount":1}', { factCount: 1 }],
    ['{"factCount":1,"position":""}', { factCount: 1, position: "" }],
  ])("is decoded with the head %s", (head, expected) => {
    expect(decodeRecord(recordWith(head), 0)?.segment).toMatchObject(expected);
  });

  it("is decoded up to a body of 4 MiB", () => {
    const head = '{"factCount":1}';
    const rest = 4 * 1024 * 1024 - head.length;
    expect(decodeRecord(recordWith(head, new Uint8Array(rest)), 0)?.segment.bytes).toHaveLength(rest);
    expect(decodeRecord(recordWith(head, new Uint8Array(rest + 1)), 0)).toBeUndefined();
  });
});
