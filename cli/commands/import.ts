import { addTextOptions, type TextFlags, textOptionsOf } from "../../src/command-line/text-options.ts";
import { type Command, Option } from "commander";
import { count } from "../../src/text/sentence.ts";
import { LONG_BUSY_MILLIS } from "../../src/embedded/embedded-tracker.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { type ImportReport, importRecordings } from "../../src/embedded/import-recordings.ts";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
import { databaseOption } from "../options/query-options.ts";
import { withDatabase } from "../../src/embedded/with-database.ts";

interface ImportOptions extends TextFlags {
  readonly database: string;
  readonly cluster: string;
}

export function define(command: Command): void {
  command
    .argument("<recording...>", "files with watch events and audit events of one cluster; - for standard input")
    .addOption(new Option("--cluster <name>", "name of the cluster").env("OUTLIVE_CLUSTER").default("recording"))
    .addOption(databaseOption());
  addTextOptions(command).action(importInto);
  addExamples(command, [
    ["outlive import watch.ndjson.gz audit.ndjson", "import as cluster recording into ./outlive.sqlite"],
    [
      "outlive import --cluster prod-eu --database prod.sqlite watch.ndjson",
      "import as another cluster into another file",
    ],
    [
      "kubectl get jobs,pods -A --watch --output-watch-events -o json | outlive import -",
      "read from kubectl until it is interrupted",
    ],
  ]);
}

async function importInto(files: readonly string[], { database, cluster, ...flags }: ImportOptions): Promise<void> {
  const progress = showProgress("Importing facts");
  try {
    const report = await withDatabase(database, { create: true, busyMillis: LONG_BUSY_MILLIS }, (embedded) =>
      importRecordings(
        embedded,
        { clusterName: cluster, files },
        { texts: textOptionsOf(flags), onProgress: (facts) => progress.at(facts, facts) },
      ),
    );
    progress.stop();
    printReport(report, database, cluster);
    failIfIncomplete(report, files);
  } finally {
    progress.stop();
  }
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
    throw new CommandFailure(2, `No events of a cluster could be read from ${files.join(", ")}.`);
  }
}
