import { readClusterName } from "../command-line/cluster-name.ts";
import { sendFacts } from "../../log/send-facts.ts";
import type { SegmentQueue } from "../../ports/segment-queue.ts";
import type { ImportRecordingsOptions, ImportReport } from "./import-recordings.ts";
import { type ReadingTally, recordedFacts } from "./recorded-facts.ts";

/** Sends the recordings of one cluster to a queue, as its exporter sends segments. */
export async function sendRecordings(
  queue: SegmentQueue,
  { clusterName, files }: { readonly clusterName: string; readonly files: readonly string[] },
  { onProgress, texts }: ImportRecordingsOptions = {},
): Promise<ImportReport> {
  const reading: ReadingTally = { events: 0, rejected: [], rejectedBeyond: 0 };
  const imported = await sendFacts(queue, recordedFacts(files, reading, texts), {
    cluster: readClusterName(clusterName),
    now: Date.now(),
    onProgress: ({ facts }) => onProgress?.(facts),
  });
  return { imported, reading };
}
