import type { Command } from "commander";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { stageOption } from "../options/registry-options.ts";

interface RestoreOptions {
  readonly stage?: string;
  readonly table?: string;
  /** False with `--no-adopt`. */
  readonly adopt: boolean;
}

export function define(command: Command): void {
  command
    .argument("[archive]", "folder of an archive, or s3://BUCKET/FOLDER; default: the archive of --stage")
    .addOption(stageOption())
    .option("--table <name>", "restore from this copy of a log table instead, for example of a point in time")
    .option("--no-adopt", "restore only the log; the stage does not continue the archive")
    .action(restore);
  addExamples(command, [
    [
      "outlive restore s3://replica/archive --stage new",
      "fill a new stage from the archive of a lost one, and continue the archive",
    ],
    [
      "outlive restore --table outlive-log-before --stage prod",
      "bring back what the log of a stage has lost, from a table that was restored from a point in time",
    ],
  ]);
}

async function restore(archive: string | undefined, { stage, table, adopt }: RestoreOptions): Promise<void> {
  if (stage === undefined) throw new CommandFailure(2, "Name the deployment to restore with --stage.");
  if (archive !== undefined && table !== undefined) {
    throw new CommandFailure(2, "Name an archive or --table, not both.");
  }
  if (table !== undefined) {
    const { restoreTable } = await import("./restore-table.ts");
    return restoreTable(stage, table);
  }
  const { restoreArchive } = await import("./restore-archive.ts");
  await restoreArchive(stage, { archive, isAdopted: adopt });
}
