import { createHash } from "node:crypto";
import { brotliDecompressSync, deflateRawSync, inflateRawSync } from "node:zlib";
import { DICTIONARY_V1 } from "./dictionary-v1.ts";
import { DICTIONARY_V2 } from "./dictionary-v2.ts";
import { damaged, newer, type Rejected } from "./rejected.ts";

/** The first byte names the codec. Brotli is only read, because earlier releases could write it. */
const BROTLI = 1;

/** The dictionary of each codec that uses deflate. A new dictionary gets a codec of its own. */
const DICTIONARIES = { 2: Buffer.from(DICTIONARY_V1), 3: Buffer.from(DICTIONARY_V2) } as const;
/** A codec that can be written. */
export type DeflateCodec = keyof typeof DICTIONARIES;

/**
 * Next come the first bytes of the text's SHA-256: compressed data has no checksum, so nothing else detects a flipped
 * bit.
 */
const CHECK_BYTES = 8;
const HEAD_BYTES = 1 + CHECK_BYTES;

/**
 * The longest text that is decompressed. One byte of deflate can expand to a thousand, so a message of 1 MiB could
 * exhaust the memory.
 */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/**
 * Most job states are small. A window that just fits the dictionary and the text, and small buffers,
 * halve the time to compress them.
 */
const SMALL = { level: 6, windowBits: 14, memLevel: 6, chunkSize: 4096 };
const SMALL_TEXT_BYTES = 4096;
const SMALL_BODY_BYTES = 1024;
const LARGE = { level: 9, windowBits: 15, memLevel: 9, chunkSize: 32_768 };

export interface Envelope {
  readonly bytes: Uint8Array;
  /** SHA-256 of the text, in lower-case hex. */
  readonly sha256: string;
}

/** Compresses `text` and adds the codec byte and the checksum. */
export function wrap(text: string, codec: DeflateCodec = 2): Envelope {
  const plain = Buffer.from(text);
  const hash = createHash("sha256").update(plain).digest();
  const head = Buffer.concat([Buffer.of(codec), hash.subarray(0, CHECK_BYTES)]);
  const dictionary = DICTIONARIES[codec];
  const body = deflateRawSync(plain, { ...(plain.length < SMALL_TEXT_BYTES ? SMALL : LARGE), dictionary });
  return { bytes: Buffer.concat([head, body]), sha256: hash.toString("hex") };
}

export type Unwrapped = { readonly outcome: "unwrapped"; readonly text: string; readonly sha256: string } | Rejected;

/** The text exactly as it was wrapped, or the reason why it cannot be read. */
export function unwrap(bytes: Uint8Array): Unwrapped {
  if (bytes.length < HEAD_BYTES) return damaged(`${bytes.length} bytes are too few for a list of facts.`);
  const [codec] = bytes;
  if (codec !== BROTLI && codec !== 2 && codec !== 3) {
    return newer(
      `Codec ${codec} is unknown. This build reads codecs 1 to 3; update Outlive if a later release wrote it.`,
    );
  }
  const plain = decompress(bytes.subarray(HEAD_BYTES), codec);
  if (plain instanceof Error) return damaged(`Cannot decompress the text: ${plain.message}.`);
  const hash = createHash("sha256").update(plain).digest();
  if (!hash.subarray(0, CHECK_BYTES).equals(bytes.subarray(1, HEAD_BYTES))) {
    return damaged("The text is damaged: its checksum differs. Fetch the bytes again from their source.");
  }
  return { outcome: "unwrapped", text: plain.toString("utf8"), sha256: hash.toString("hex") };
}

/** zlib reports damaged, truncated and oversized data as an Error with a `code`. */
function decompress(body: Uint8Array, codec: typeof BROTLI | DeflateCodec): Buffer | Error {
  try {
    return codec === BROTLI
      ? brotliDecompressSync(body, { maxOutputLength: MAX_TEXT_BYTES })
      : inflateRawSync(body, {
          maxOutputLength: MAX_TEXT_BYTES,
          chunkSize: body.length < SMALL_BODY_BYTES ? SMALL.chunkSize : LARGE.chunkSize,
          dictionary: DICTIONARIES[codec],
        });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause) return cause;
    throw cause;
  }
}
