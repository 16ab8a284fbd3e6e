import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as v from "valibot";
import { STATES, type State } from "../../job/model/states.ts";
import { SUMMARY_DICTIONARY_V1 } from "../job-state/summary-dictionary-v1.ts";
import { isSummary } from "../job-state/summary-bytes.ts";
import type { JobChange } from "../../explain/answer-document.ts";

/** The first byte of compressed changes: JSON, compressed with the dictionary of the summaries. */
const DEFLATE_V1 = 1;
const DICTIONARY = Buffer.from(SUMMARY_DICTIONARY_V1);
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

const stored = v.array(
  v.tuple([v.nullable(v.picklist(STATES)), v.custom<JobChange["job"]>(isSummary, "Not the summary of a Job")]),
);

/** Changes in base64. They are compressed together: those of one batch have much in common. */
export function packChanges(changes: readonly JobChange[]): string {
  const rows = changes.map(({ previous, job }): readonly [State | null, JobChange["job"]] => [previous ?? null, job]);
  const packed = deflateRawSync(JSON.stringify(rows), { dictionary: DICTIONARY, level: 9 });
  return Buffer.concat([Buffer.of(DEFLATE_V1), packed]).toString("base64");
}

/** The inverse; `undefined` if the text is damaged or of a later release. */
export function unpackChanges(text: string): readonly JobChange[] | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes[0] !== DEFLATE_V1) return undefined;
  const read = v.safeParse(stored, parsed(bytes.subarray(1)));
  return read.success
    ? read.output.map(([previous, job]) => ({ job, ...(previous !== null && { previous }) }))
    : undefined;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(inflateRawSync(bytes, { dictionary: DICTIONARY, maxOutputLength: MAX_TEXT_BYTES }).toString());
  } catch (cause) {
    // zlib's errors have a code, those of JSON.parse are SyntaxErrors.
    if (cause instanceof SyntaxError || (cause instanceof Error && "code" in cause)) return undefined;
    throw cause;
  }
}
