import type { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { askWith } from "../../src/host/client/ask-with.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { type LogLinksFlag, logLinksOption } from "../options/log-links-option.ts";
import { addSourceOptions, archiveOption, type SourceOptions } from "../options/query-options.ts";
import { remark } from "../output/print-answer.ts";
import { withClient } from "../query/with-client.ts";

export function define(command: Command): void {
  addSourceOptions(command.addOption(logLinksOption()).addOption(archiveOption())).action(
    async (options: SourceOptions & LogLinksFlag) => {
      const { serveToolsOnStdio } = await import("../../src/http/mcp/serve-stdio.ts");
      await withClient(options, async (api) => {
        const context = {
          ask: askWith(api),
          now: Date.now,
          ...(options.server !== undefined && { page: api.name }),
          onError,
        };
        await serveToolsOnStdio(context, { version: manifest.version, onError });
      });
    },
  );
  addExamples(command, [
    [
      "outlive mcp --server https://outlive.example.org",
      "answer an agent about a server, with the token of OUTLIVE_TOKEN",
    ],
    ["outlive mcp --database outlive.sqlite", "answer an agent about a database file"],
    ["claude mcp add outlive -- npx outlive mcp", "register it in Claude Code"],
  ]);
}

function onError({ message }: Error): void {
  remark(`error: ${message}`);
}
