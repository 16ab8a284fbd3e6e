import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { type Command, Option } from "commander";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { asArgument } from "../../src/host/command-line/as-argument.ts";
import { serveDemo } from "../demo/demo-server.ts";
import { exampleRecordings } from "../demo/example-recordings.ts";
import { generatedHistory } from "../demo/generated/generated-history.ts";
import { importGenerated } from "../demo/import-generated.ts";
import { reportIncident } from "../demo/incident-report.ts";
import { type ListenAddress, parseListen, STANDARD_LISTEN } from "../../src/host/server/listen.ts";
import { inProcessClient } from "../../src/host/embedded/in-process-client.ts";
import { withDatabase } from "../../src/host/embedded/with-database.ts";
import type { Embedded } from "../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { type ColourChoice, paintFor } from "../output/paint.ts";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { colourOption } from "../options/query-options.ts";
import { stopSignal } from "../../src/host/runtime/stop-signal.ts";

interface DemoOptions {
  readonly database?: string;
  readonly listen: ListenAddress;
  readonly serve: boolean;
  readonly color: ColourChoice;
}

export function define(command: Command): void {
  command
    .addOption(new Option("--database <file>", "keep the database in this file (default: a temporary file)"))
    .addOption(
      new Option("--listen <host:port>", "address to listen on; if the port is in use, the next free one")
        .argParser(asArgument(parseListen))
        .default(parseListen(STANDARD_LISTEN), STANDARD_LISTEN),
    )
    .option("--no-serve", "print the report and exit")
    .addOption(colourOption())
    .action(demo);
  addExamples(command, [
    ["outlive demo", "explain recorded incidents and serve the answers"],
    ["outlive demo --no-serve --database demo.sqlite", "keep the database for more queries"],
  ]);
}

async function demo(options: DemoOptions): Promise<void> {
  const stop = stopSignal();
  const folder = await mkdtemp(join(tmpdir(), "outlive-demo-"));
  const database = options.database ?? join(folder, "outlive.sqlite");
  try {
    await withDatabase(database, { create: true }, async (embedded) => {
      await importExamples(embedded);
      const api = inProcessClient(embedded, "the demo");
      const { text, worst } = await reportIncident(api, paintFor(options.color, process.stdout));
      process.stdout.write(text);
      await importHistory(embedded, folder);
      if (options.serve) await serveUntil(stop, { embedded, address: options.listen, worst });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function importExamples(embedded: Embedded): Promise<void> {
  const recordings = await exampleRecordings();
  const progress = showProgress("Importing");
  for (const [done, { name, files }] of recordings.entries()) {
    progress.at(done, recordings.length);
    await importRecordings(embedded, { clusterName: name, files });
  }
  progress.stop();
  const names = recordings.map(({ name }) => name).join(", ");
  remark(`Imported ${recordings.length} recordings of real control planes: ${names}.\n`);
}

async function serveUntil(stop: Promise<NodeJS.Signals>, { embedded, address, worst }: DemoServer): Promise<void> {
  const server = await serveDemo(embedded, address);
  process.stdout.write(nextSteps(server.url, worst));
  await stop;
  remark("Stopping.");
  await server.close();
}

/** Imports what the report does not need, so that it comes after the report. */
async function importHistory(embedded: Embedded, folder: string): Promise<void> {
  const progress = showProgress("Generating");
  const { imported, kept } = await importGenerated(embedded, generatedHistory(Date.now()), folder);
  progress.stop();
  if (kept.length > 0) remark(`Kept the generated history of ${kept.join(", ")}.\n`);
  if (imported.length === 0) return;
  remark(`\nImported four weeks of generated history of clusters that do not exist: ${imported.join(", ")}.`);
}

interface DemoServer {
  readonly embedded: Embedded;
  readonly address: ListenAddress;
  /** The Job for the example commands. */
  readonly worst: JobAnswer | undefined;
}

/** The command line of this program: its name if it is installed, else its file. */
function thisCommand(): string {
  const file = process.argv[1] ?? "outlive";
  return basename(file) === "outlive" ? "outlive" : `node ${relative(process.cwd(), file)}`;
}

function nextSteps(url: string, worst: JobAnswer | undefined): string {
  const job = worst === undefined ? "" : ` job/${worst.name} -n ${worst.namespace} --cluster ${worst.cluster}`;
  const outlive = thisCommand();
  return [
    "",
    `Serving on ${url}/ until Ctrl-C. Open it in a browser, or ${url}/?tour=1 for a tour.`,
    "Try in another terminal:",
    "",
    `  ${outlive} jobs -A --attention --server ${url}`,
    `  ${outlive} history${job} --server ${url}`,
    `  curl '${url}/v1/summary'`,
    "",
  ].join("\n");
}
