import { type Command, Option } from "commander";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { asArgument } from "../../src/host/command-line/as-argument.ts";
import { outputOption } from "../options/output-format.ts";
import { addPrintOptions, databaseOption } from "../options/query-options.ts";
import { type EraseFlags, secondsOf } from "./erase-flags.ts";

export function define(command: Command): void {
  addPrintOptions(command, outputOption({ csv: "An erasure is no table. Use json or yaml." }))
    .argument("[job]", "NAME or job/NAME: the Jobs of this name")
    .option("--cluster <name>", "cluster of the data; alone: everything about it")
    // Not from OUTLIVE_NAMESPACE: an environment variable must not decide what is erased.
    .option("-n, --namespace <name>", "namespace of the Job; without a Job: everything in it")
    .option("--uid <uid>", "of several Jobs that had the name, only this one")
    .option("--all", "all Jobs that had the name")
    .option("--reason <text>", "why it is erased, such as the number of a request; do not name the person")
    .addOption(databaseOption())
    // Not from OUTLIVE_STAGE, for the same reason.
    .option("--stage <name>", "erase from a deployment on AWS with its role for erasures (setting erasure)")
    .addOption(
      new Option(
        "--wait <seconds>",
        "of a deployment: how long its functions may take that have begun before",
      ).argParser(asArgument(secondsOf)),
    )
    .addOption(new Option("--archive <archive>", "the archive of the database: a folder, or s3://BUCKET/FOLDER"))
    .option("--dry-run", "count what would be erased, and change nothing")
    .option("--yes", "do not ask for the name again")
    .option("--list", "list the erasures of the database, or of --stage")
    .option("--apply", "apply the erasures of the archive to a database that was restored from an older backup")
    .action(async (job: string | undefined, options: EraseFlags) => {
      await (await import("./run-erase.ts")).runErase(job, options);
    });
  addExamples(command, [
    ["outlive erase job/report --cluster prod-eu -n payments --reason request-4711 --dry-run", "count its data"],
    ["outlive erase job/report --cluster prod-eu -n payments --reason request-4711", "erase a Job"],
    [
      "outlive erase --cluster prod-eu -n payments --reason request-4711 --archive ./archive",
      "erase a namespace, also from the archive",
    ],
    ["outlive erase -n payments --cluster prod-eu --reason request-4711 --stage prod", "from a deployment on AWS"],
    ["outlive erase --list", "what was erased, when, by whom and why"],
    ["outlive erase --apply --archive ./archive", "after a restore: erase again what was erased since the backup"],
  ]);
}
