import { statSync } from "node:fs";
import type { Command } from "commander";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { addPrintOptions, databaseOption, type PrintOptions } from "../options/query-options.ts";
import { stageOption } from "../options/registry-options.ts";

export function define(command: Command): void {
  addExamples(command, [
    ["outlive archive export ./archive", "archive the closed hours of ./outlive.sqlite"],
    ["outlive archive ls ./archive", "list the hours of the archive"],
    ["outlive archive verify ./archive", "check every object of the archive against its manifests"],
  ]);
  defineExport(command);
  defineVerify(command);
  defineList(command);
  defineImport(command);
}

const FOLDER = "folder of the archive, or s3://BUCKET/FOLDER";
/** To read an archive, its deployment is enough. */
const EXISTING = `${FOLDER}; default: the archive of --stage`;

function defineExport(command: Command): void {
  const exporting = command
    .command("export")
    .description("Archive closed hours as segments and Parquet files")
    .argument("<archive>", FOLDER)
    .addOption(databaseOption())
    .option("--now", "also the current hour, for an import that nothing will be added to")
    .action(async (archive: string, options: { readonly database: string; readonly now?: boolean }) => {
      const { exportArchive } = await import("./export-archive.ts");
      await exportArchive(archive, options);
    });
  addExamples(exporting, [
    ["outlive archive export ./archive", "archive the hours of ./outlive.sqlite that ended since the last export"],
    ["outlive archive export ./archive --now", "archive all of ./outlive.sqlite after an import"],
  ]);
}

function defineVerify(command: Command): void {
  const verify = command
    .command("verify")
    .description("Check every object of an archive against its chain of manifests, or the evidence of a Job")
    .argument("[archive]", `${EXISTING}, or a file of "outlive why --export"`)
    .addOption(stageOption())
    .option("--head <sha256>", "a head that was printed before: it must still be in the chain")
    .action(
      async (archive: string | undefined, { head, stage }: { readonly head?: string; readonly stage?: string }) => {
        if (archive !== undefined && isFile(archive)) {
          const { verifyEvidenceIn } = await import("./verify-evidence.ts");
          return verifyEvidenceIn(archive, head);
        }
        const { verifyArchiveIn } = await import("./verify-archive.ts");
        await verifyArchiveIn({ archive, stage }, head);
      },
    );
  addExamples(verify, [
    ["outlive archive verify ./archive", "find missing, changed and added objects"],
    ["outlive archive verify --stage prod", "check the archive of a deployment on AWS"],
    ["outlive archive verify report.json", "check what `outlive why --export report.json` wrote, without the archive"],
  ]);
}

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
}

function defineList(command: Command): void {
  const list = command
    .command("ls")
    .description("List the hours of an archive")
    .argument("[archive]", EXISTING)
    .addOption(stageOption());
  addPrintOptions(list).action(
    async (archive: string | undefined, options: PrintOptions & { readonly stage?: string }) => {
      const { listArchive } = await import("./list-archive.ts");
      await listArchive({ archive, stage: options.stage }, options);
    },
  );
  addExamples(list, [["outlive archive ls ./archive -o json", "list the hours with the hashes of their manifests"]]);
}

function defineImport(command: Command): void {
  const importing = command
    .command("import")
    .description("Rebuild a new database file from an archive alone")
    .argument("[archive]", EXISTING)
    .addOption(stageOption())
    .addOption(databaseOption())
    .action(
      async (
        archive: string | undefined,
        { database, stage }: { readonly database: string; readonly stage?: string },
      ) => {
        const { importArchiveInto } = await import("./import-archive.ts");
        await importArchiveInto({ archive, stage }, database);
      },
    );
  addExamples(importing, [
    ["outlive archive import ./archive --database rebuilt.sqlite", "restore the log and the Jobs of the archive"],
  ]);
}
