import { addTextOptions, type TextFlags, textOptionsOf } from "../../src/host/command-line/text-options.ts";
import { type Command, Option } from "commander";
import { count } from "../../src/job/text/sentence.ts";
import { LONG_BUSY_MILLIS } from "../../src/host/embedded/embedded-tracker.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import {
  type ImportRecordingsOptions,
  type ImportReport,
  importRecordings,
  sendRecordings,
} from "../../src/host/embedded/import-recordings.ts";
import { failForGaps } from "../output/recording-gaps-failure.ts";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { maxSeriesOption } from "../options/metrics-options.ts";
import { databaseOption } from "../options/query-options.ts";
import { stageOption } from "../options/registry-options.ts";
import { withDatabase } from "../../src/host/embedded/with-database.ts";

interface ImportOptions extends TextFlags {
  readonly database: string;
  readonly cluster: string;
  readonly queue?: string;
  readonly stage?: string;
  readonly metricsMaxSeries: number;
}

export function define(command: Command): void {
  command
    .argument("<recording...>", "files with watch events and audit events of one cluster; - for standard input")
    .addOption(new Option("--cluster <name>", "name of the cluster").env("OUTLIVE_CLUSTER").default("recording"))
    .addOption(databaseOption())
    .addOption(
      new Option("--queue <url>", "send to the queue of a deployment on AWS instead, as a registered sender").env(
        "OUTLIVE_QUEUE_URL",
      ),
    )
    .addOption(stageOption())
    .addOption(maxSeriesOption());
  addTextOptions(command).action(importInto);
  addExamples(command, [
    ["outlive import watch.ndjson.gz audit.ndjson", "import as cluster recording into ./outlive.sqlite"],
    [
      "outlive import --cluster prod-eu --database prod.sqlite watch.ndjson",
      "import as another cluster into another file",
    ],
    [
      "outlive import --cluster prod-eu --stage live watch.ndjson",
      "send through the queue of a deployment, with credentials that are registered for the cluster",
    ],
    [
      "kubectl get jobs,pods -A --watch --output-watch-events -o json | outlive import -",
      "read from kubectl until it is interrupted",
    ],
  ]);
}

async function importInto(files: readonly string[], options: ImportOptions): Promise<void> {
  const progress = showProgress("Importing facts");
  const recordings = { clusterName: options.cluster, files };
  const reading = { texts: await textOptionsOf(options), onProgress: (facts: number) => progress.at(facts, facts) };
  const queueUrl = await queueUrlOf(options);
  try {
    const report =
      queueUrl === undefined
        ? await withDatabase(
            options.database,
            { create: true, busyMillis: LONG_BUSY_MILLIS, maxSeries: options.metricsMaxSeries },
            (embedded) => importRecordings(embedded, recordings, reading),
          )
        : await sendTo(queueUrl, recordings, reading);
    progress.stop();
    printReport(report, queueUrl ?? options.database, options.cluster);
    failIfIncomplete(report, files);
  } finally {
    progress.stop();
  }
}

/** The queue of the deployment that the options name; `undefined` for a database file. */
async function queueUrlOf({ queue, stage }: ImportOptions): Promise<string | undefined> {
  if (queue !== undefined || stage === undefined) return queue;
  const { readDeployment } = await import("../deployment/deployment.ts");
  return (await readDeployment(stage)).output("QueueUrl");
}

async function sendTo(
  queueUrl: string,
  recordings: { readonly clusterName: string; readonly files: readonly string[] },
  options: ImportRecordingsOptions,
) {
  const [{ createSqsSegmentQueue }, { createMessageQueue }, { createSqsClient }] = await Promise.all([
    import("../../src/adapters/sqs/sqs-segment-queue.ts"),
    import("../../src/adapters/sqs/message-queue.ts"),
    import("../../src/adapters/sqs/sqs-client.ts"),
  ]);
  return sendRecordings(createSqsSegmentQueue(createMessageQueue(createSqsClient(), queueUrl)), recordings, options);
}

/** The most unreadable lines that are listed; the others are only counted. */
const MOST_SHOWN = 10;

function printReport({ imported, reading }: ImportReport, database: string, cluster: string): void {
  for (const { file, line, reason } of reading.rejected.slice(0, MOST_SHOWN)) remark(`${file}:${line}: ${reason}`);
  for (const reason of imported.refused.slice(0, MOST_SHOWN)) remark(reason);
  const unreadable = reading.rejected.length + reading.rejectedBeyond;
  const parts = [
    `${count(imported.sealed, "fact")} in ${count(imported.appended, "new segment")}`,
    ...(imported.duplicates > 0 ? [`${count(imported.duplicates, "segment")} already in the log`] : []),
    ...(unreadable > 0 ? [`${count(unreadable, "line")} could not be read`] : []),
  ];
  remark(`Imported ${count(reading.events, "event")} as cluster ${cluster} into ${database}: ${parts.join("; ")}.`);
}

function failIfIncomplete({ imported, reading }: ImportReport, files: readonly string[]): void {
  const { refused, refold } = imported;
  if (refused.length > 0 || refold.length > 0) {
    throw new CommandFailure(
      1,
      `Incomplete import: ${count(refused.length, "segment")} rejected, ${count(refold.length, "segment")} not ` +
        `projected. "outlive replay" projects the segments of the log again.`,
    );
  }
  if (reading.events === 0) {
    throw new CommandFailure(
      2,
      `No events of a cluster could be read from ${files.join(", ")}. The lines above say why.`,
    );
  }
  failForGaps(reading);
}
