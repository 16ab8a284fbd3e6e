import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Instant } from "../../src/job/model/instant.ts";
import type { Embedded } from "../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { listHeartbeats } from "../../src/query/clusters/clusters.ts";
import { generatedHistory } from "./generated/generated-history.ts";

/** The clusters whose generated history was imported, and those of which the database has one from an earlier demo. */
export interface ImportedHistory {
  readonly imported: readonly string[];
  readonly kept: readonly string[];
}

/**
 * Imports the generated history until an instant as `outlive import` does, from files in a folder. The histories of two
 * instants would contradict each other, so a database keeps its first one.
 */
export async function importGenerated(
  embedded: Embedded,
  { folder, now }: { readonly folder: string; readonly now: Instant },
): Promise<ImportedHistory> {
  const known = new Set((await listHeartbeats(embedded.meta, "everything")).map(({ name }) => name));
  const history = generatedHistory(now);
  const missing = history.filter(({ clusterName }) => !known.has(clusterName));
  for (const { clusterName, lines } of missing) {
    const file = join(folder, `${clusterName}.ndjson`);
    await writeFile(file, lines.join("\n"));
    await importRecordings(embedded, { clusterName, files: [file] });
  }
  const namesOf = (some: typeof history): readonly string[] => some.map(({ clusterName }) => clusterName);
  return { imported: namesOf(missing), kept: namesOf(history.filter((one) => !missing.includes(one))) };
}
