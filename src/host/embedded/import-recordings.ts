import { basename } from "node:path";
import type { Imported } from "../../log/import-facts.ts";
import type { Fact } from "../../job/model/fact.ts";
import type { NotedCommand } from "../../ports/records/unfinished-record.ts";
import { noteBegun, noteFinished } from "../../upkeep/replay/unfinished-commands.ts";
import { readClusterName } from "../command-line/cluster-name.ts";
import type { Embedded } from "./embedded-tracker.ts";
import type { TextOptions } from "../../kubernetes/translate/translated.ts";
import { type ReadingTally, recordedFacts } from "./recorded-facts.ts";
import { sendFacts } from "../../log/send-facts.ts";
import type { SegmentQueue } from "../../ports/segment-queue.ts";

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

/**
 * Imports the recordings of one cluster, as a tracker ingests segments. If the import is killed, a repetition with
 * recordings of the same names continues; until then, the tracker reports that it is incomplete.
 */
export async function importRecordings(
  embedded: Embedded,
  { clusterName, files }: { readonly clusterName: string; readonly files: readonly string[] },
  { onProgress, texts }: ImportRecordingsOptions = {},
): Promise<ImportReport> {
  const cluster = readClusterName(clusterName);
  const reading: ReadingTally = { events: 0, rejected: [], rejectedBeyond: 0 };
  const command = { command: "import", of: [cluster, ...files.map((file) => basename(file))].join(" ") } as const;
  const facts = notedFacts(embedded, command, recordedFacts(files, reading, texts));
  const imported = await embedded.importFacts(facts, {
    cluster,
    now: Date.now(),
    receivedAt: () => reading.receivedAt,
    onProgress: ({ facts }) => onProgress?.(facts),
  });
  // There may be no later sweep, so rows of the last minute are swept too: Events show why Pods are refused.
  await embedded.sweep({ now: Date.now(), freshMillis: 0 });
  await embedded.countCronJobs(Date.now(), { again: true });
  await noteFinished(embedded.meta, command);
  return { imported, reading };
}

/** Records that an import is in progress before its first write. Unreadable recordings change nothing. */
async function* notedFacts(
  { meta }: Embedded,
  command: NotedCommand,
  facts: AsyncIterable<readonly Fact[]>,
): AsyncGenerator<readonly Fact[]> {
  let isNoted = false;
  for await (const some of facts) {
    if (!isNoted) await noteBegun(meta, command);
    isNoted = true;
    yield some;
  }
}

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
