import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callTool } from "../../../src/http/mcp/call-tool.ts";
import type { ToolContext } from "../../../src/http/mcp/tool.ts";
import { TOOLS } from "../../../src/http/mcp/tools/tools.ts";
import type { ApiClient } from "../../../src/host/client/api-client.ts";
import { askWith } from "../../../src/host/client/ask-with.ts";
import { rethrow } from "../running/rethrow.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import { inProcessClient } from "../../../src/host/embedded/in-process-client.ts";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";

const PAGE = "https://outlive.example.org";

/** The tools over recordings that were imported into a database: the files of each cluster. */
export interface RecordedTools {
  readonly context: ToolContext;
  readonly embedded: Embedded;
  readonly call: (name: string, given?: Readonly<Record<string, unknown>>) => Promise<Called>;
  readonly close: () => void;
}

export interface Called {
  readonly isError: boolean;
  /** The structured content, or the text of an error. */
  readonly answer: Readonly<Record<string, unknown>> & { readonly sentence: string };
  /** Of the whole result, as JSON. */
  readonly bytes: number;
}

const EXAMPLES = new URL("../../../examples/", import.meta.url).pathname;

/** Names of recordings in examples/, or paths, by cluster. */
export async function toolsOver(clusters: Readonly<Record<string, readonly string[]>>): Promise<RecordedTools> {
  const folder = mkdtempSync(join(tmpdir(), "outlive-mcp-"));
  const embedded = openEmbedded(join(folder, "outlive.sqlite"));
  for (const [clusterName, files] of Object.entries(clusters)) {
    const paths = files.map((file) => (file.includes("/") ? file : join(EXAMPLES, file)));
    await importRecordings(embedded, { clusterName, files: paths });
  }
  const context = contextOver(inProcessClient(embedded, "the database"));
  return {
    context,
    embedded,
    call: (name, given = {}) => callIn(context, name, given),
    close: () => {
      embedded.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function contextOver(client: ApiClient): ToolContext {
  return { ask: askWith(client), now: Date.now, onError: rethrow, page: PAGE };
}

/** Calls a tool without a transport. */
export async function callIn(
  context: ToolContext,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<Called> {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const result = await callTool(tool, context, given);
  const [{ text } = { text: "" }] = result.content;
  return {
    isError: "isError" in result,
    answer: JSON.parse(text) as Called["answer"],
    bytes: Buffer.byteLength(JSON.stringify(result)),
  };
}
