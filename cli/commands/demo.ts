import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { type Command, Option } from "commander";
import { OpenStreams } from "../../src/http/streams/open-streams.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { asArgument } from "../../src/host/command-line/as-argument.ts";
import { exampleRecordings } from "../demo/example-recordings.ts";
import { reportIncident } from "../demo/incident-report.ts";
import {
  type ListenAddress,
  type Listening,
  listen,
  parseListen,
  PortTakenFailure,
  STANDARD_LISTEN,
} from "../../src/host/server/listen.ts";
import { inProcessClient } from "../../src/host/embedded/in-process-client.ts";
import { serverApi } from "../../src/host/server/server-api.ts";
import { withBuiltPage } from "../../src/host/server/built-page.ts";
import { withDatabase } from "../../src/host/embedded/with-database.ts";
import type { Embedded } from "../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { reportFailure } from "../../src/host/command-line/report-failure.ts";
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
  const folder = options.database === undefined ? await mkdtemp(join(tmpdir(), "outlive-demo-")) : undefined;
  const database = options.database ?? join(folder ?? "", "outlive.sqlite");
  try {
    await withDatabase(database, { create: true }, async (embedded) => {
      await importExamples(embedded);
      const api = inProcessClient(embedded, "the demo");
      const { text, worst } = await reportIncident(api, paintFor(options.color, process.stdout));
      process.stdout.write(text);
      if (options.serve) await serveUntil(stop, { embedded, address: options.listen, worst });
    });
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
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
  remark(
    `Imported ${recordings.length} recordings of real clusters: ${recordings.map(({ name }) => name).join(", ")}.\n`,
  );
}

interface DemoServer {
  readonly embedded: Embedded;
  readonly address: ListenAddress;
  /** The Job for the example commands. */
  readonly worst: JobAnswer | undefined;
}

async function serveUntil(stop: Promise<NodeJS.Signals>, { embedded, address, worst }: DemoServer): Promise<void> {
  const streams = new OpenStreams();
  const server = await listenOnFreePort(embedded, streams, address);
  process.stdout.write(nextSteps(server.url, worst));
  await stop;
  remark("Stopping.");
  streams.endAll();
  await server.close();
}

async function listenOnFreePort(
  embedded: Embedded,
  streams: OpenStreams,
  { host, port }: ListenAddress,
): Promise<Listening> {
  const access = { kind: "loopback" } as const;
  const api = serverApi({
    stores: embedded,
    access,
    onError: (error) => reportFailure(error, { stack: false }),
    streams,
  });
  const app = await withBuiltPage(api, access);
  for (let tried = port; ; tried += 1) {
    try {
      return await listen(app, { host, port: tried });
    } catch (error) {
      if (!(error instanceof PortTakenFailure) || tried >= port + MOST_PORTS_TRIED) throw error;
      remark(`Port ${tried} is in use; trying the next one.`);
    }
  }
}
const MOST_PORTS_TRIED = 100;

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
    `Serving on ${url}/ until Ctrl-C. Open it in a browser, or try in another terminal:`,
    "",
    `  ${outlive} jobs -A --attention --server ${url}`,
    `  ${outlive} history${job} --server ${url}`,
    `  curl '${url}/v1/summary'`,
    "",
  ].join("\n");
}
