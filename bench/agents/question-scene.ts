import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleRecordings } from "../../cli/demo/example-recordings.ts";
import { generatedHistory } from "../../cli/demo/generated/generated-history.ts";
import { importGenerated } from "../../cli/demo/import-generated.ts";
import type { ApiClient } from "../../src/host/client/api-client.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { inProcessClient } from "../../src/host/embedded/in-process-client.ts";
import { openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import type { ToolContext } from "../../src/http/mcp/tool.ts";
import { contextOver } from "../../test/support/mcp/recorded-tools.ts";

/** The recordings of test/recordings that questions are about. */
const CAUSES = ["refused-and-killed", "more-causes", "refused-and-limited"];

/** A tracker that has what the questions are about. */
export interface QuestionScene {
  readonly api: ApiClient;
  readonly context: ToolContext;
  readonly close: () => void;
}

/** The recordings by cluster. */
export async function recordedFiles(): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = join(import.meta.dirname, "../../test/recordings");
  return new Map([
    ...(await exampleRecordings()).map(({ name, files }) => [name, files] as const),
    ...CAUSES.map((name) => [name, [join(folder, `${name}.ndjson.gz`)]] as const),
  ]);
}

/** Imports the recordings and, if asked for, the generated history, which ends now. */
export async function openScene({ withGenerated }: { readonly withGenerated: boolean }): Promise<QuestionScene> {
  const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
  const embedded = openEmbedded(join(folder, "agents.sqlite"));
  for (const [clusterName, files] of await recordedFiles()) await importRecordings(embedded, { clusterName, files });
  if (withGenerated) await importGenerated(embedded, generatedHistory(Date.now()), folder);
  const api = inProcessClient(embedded, "the benchmark");
  return {
    api,
    context: contextOver(api),
    close: () => {
      embedded.close();
      rmSync(folder, { recursive: true });
    },
  };
}
