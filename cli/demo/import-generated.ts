import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Embedded } from "../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { listHeartbeats } from "../../src/query/clusters/clusters.ts";
import type { GeneratedRecording } from "./generated/generated-history.ts";

/** The clusters whose generated history was imported, and those of which the database has one from an earlier demo. */
export interface ImportedHistory {
  readonly imported: readonly string[];
  readonly kept: readonly string[];
}

/**
 * Imports generated recordings as `outlive import` does, from files in a folder. The histories of two demos would
 * contradict each other, so a database keeps its first one.
 */
export async function importGenerated(
  embedded: Embedded,
  history: readonly GeneratedRecording[],
  folder: string,
): Promise<ImportedHistory> {
  const known = new Set((await listHeartbeats(embedded.meta, "everything")).map(({ name }) => name));
  const missing = history.filter(({ clusterName }) => !known.has(clusterName));
  for (const { clusterName, lines } of missing) {
    const file = join(folder, `${clusterName}.ndjson`);
    await writeFile(file, lines.join("\n"));
    await importRecordings(embedded, { clusterName, files: [file] });
  }
  return { imported: namesOf(missing), kept: namesOf(history.filter((one) => !missing.includes(one))) };
}

function namesOf(recordings: readonly GeneratedRecording[]): readonly string[] {
  return recordings.map(({ clusterName }) => clusterName);
}
