import * as v from "valibot";
import { STATES, type State } from "../../job/model/states.ts";
import { isSummary } from "../job-state/summary-bytes.ts";
import { fromStored, type StoredSummary, toStored } from "../job-state/stored-summary.ts";
import { compressSummaries, decompressSummaries } from "../job-state/summary-codec.ts";
import type { JobChange } from "../../explain/answer-document.ts";

const MAX_TEXT_BYTES = 16 * 1024 * 1024;

const stored = v.array(
  v.tuple([v.nullable(v.picklist(STATES)), v.custom<StoredSummary>(isSummary, "Not the summary of a Job")]),
);

/** Changes in base64. They are compressed together: those of one batch have much in common. */
export function packChanges(changes: readonly JobChange[]): string {
  const rows = changes.map(({ previous, job }): readonly [State | null, StoredSummary] => [
    previous ?? null,
    toStored(job),
  ]);
  return Buffer.from(compressSummaries(JSON.stringify(rows), "many")).toString("base64");
}

/** The inverse; `undefined` if the text is damaged or of a later release. */
export function unpackChanges(text: string): readonly JobChange[] | undefined {
  const read = v.safeParse(stored, parsed(Buffer.from(text, "base64")));
  return read.success
    ? read.output.map(([previous, job]) => ({ job: fromStored(job), ...(previous !== null && { previous }) }))
    : undefined;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decompressSummaries(bytes, MAX_TEXT_BYTES) ?? "null");
  } catch (cause) {
    // zlib's errors have a code, those of JSON.parse are SyntaxErrors.
    if (cause instanceof SyntaxError || (cause instanceof Error && "code" in cause)) return undefined;
    throw cause;
  }
}
