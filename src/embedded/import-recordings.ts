import type { Imported } from "../ingest/import-facts.ts";
import { readClusterName } from "../command-line/cluster-name.ts";
import type { Embedded } from "./embedded-tracker.ts";
import type { TextOptions } from "../kubernetes/translate/translated.ts";
import { type ReadingTally, recordedFacts } from "./recorded-facts.ts";

/** The result of an import, and the unreadable parts of its recordings. */
export interface ImportReport {
  readonly imported: Imported;
  readonly reading: ReadingTally;
}

export interface ImportRecordingsOptions {
  readonly onProgress?: (facts: number) => void;
  /** Which texts of the recordings are kept. @default none */
  readonly texts?: Partial<TextOptions>;
}

/** Imports the recordings of one cluster, as a tracker ingests segments. */
export async function importRecordings(
  embedded: Embedded,
  { clusterName, files }: { readonly clusterName: string; readonly files: readonly string[] },
  { onProgress, texts }: ImportRecordingsOptions = {},
): Promise<ImportReport> {
  const cluster = readClusterName(clusterName);
  const reading: ReadingTally = { events: 0, rejected: [], rejectedBeyond: 0 };
  const imported = await embedded.importFacts(recordedFacts(files, reading, texts), {
    cluster,
    now: Date.now(),
    receivedAt: () => reading.receivedAt,
    onProgress: ({ facts }) => onProgress?.(facts),
  });
  // There may be no later sweep, so rows of the last minute are updated too: Events show why Pods are refused.
  await embedded.sweep({ now: Date.now(), freshMillis: 0 });
  await embedded.countCronJobs(Date.now());
  return { imported, reading };
}
