import { deflateRawSync, inflateRawSync } from "node:zlib";
import { SUMMARY_DICTIONARY_V1 } from "./summary-dictionary-v1.ts";
import { SUMMARY_DICTIONARY_V2 } from "./summary-dictionary-v2.ts";

/** The dictionary of each codec. The first byte of what is compressed names it; codec 1 is only read. */
const DICTIONARIES = { 1: Buffer.from(SUMMARY_DICTIONARY_V1), 2: Buffer.from(SUMMARY_DICTIONARY_V2) } as const;
const CODEC = 2;

/** What is compressed: one summary, or many together. The window fits the dictionary and the text. */
const SIZES = {
  /** Small buffers: allocating the default ones takes longer than compressing. */
  one: { level: 6, windowBits: 14, memLevel: 6, chunkSize: 4096 },
  many: { level: 9 },
} as const;

/** Compresses the JSON text of summaries. */
export function compressSummaries(text: string, size: keyof typeof SIZES): Uint8Array {
  const dictionary = DICTIONARIES[CODEC];
  return Buffer.concat([Buffer.of(CODEC), deflateRawSync(text, { ...SIZES[size], dictionary })]);
}

/** The inverse of {@link compressSummaries}; `undefined` for another codec. zlib throws an Error with a `code`. */
export function decompressSummaries(bytes: Uint8Array, maxBytes: number): string | undefined {
  const [codec] = bytes;
  if (codec !== 1 && codec !== 2) return undefined;
  const options = { maxOutputLength: maxBytes, chunkSize: SIZES.one.chunkSize, dictionary: DICTIONARIES[codec] };
  return inflateRawSync(bytes.subarray(1), options).toString();
}
