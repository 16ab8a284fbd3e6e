import { type Command, Option } from "commander";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { NEWEST_DATABASE_SCHEMA } from "../../src/adapters/sqlite/database.ts";
import { collect } from "../doctor/check.ts";
import { printChecks } from "../doctor/print-checks.ts";
import { openCredentials } from "../options/credentials-options.ts";
import { addQueryOptions, type PrintOptions, type SourceOptions } from "../options/query-options.ts";
import { stageOption } from "../options/registry-options.ts";
import { remark } from "../output/print-answer.ts";

interface UpgradeOptions extends SourceOptions, PrintOptions {
  readonly check?: true;
  readonly backup?: string;
  readonly stage?: string;
  readonly endpointUrl?: string;
}

export function define(command: Command): void {
  addQueryOptions(command, { name: "Checks have no names. Use table, json, yaml or csv." })
    .option("--check", "only say what is found and what would be done, also of a server or a deployment")
    .option("--backup <file>", "file for the copy; must not exist (default: FILE.schema-N)")
    .addOption(stageOption())
    .addOption(new Option("--endpoint-url <url>").env("AWS_ENDPOINT_URL").hideHelp())
    .action(upgrade);
  addExamples(command, [
    ["outlive upgrade --check", "which formats ./outlive.sqlite has, and whether there is a way back"],
    ["outlive upgrade", "copy ./outlive.sqlite, then migrate it; stop the server first"],
    ["outlive upgrade --check --stage prod", "the same of a deployment on AWS, before cdk deploy"],
  ]);
}

async function upgrade(options: UpgradeOptions): Promise<void> {
  if (options.check === true) return printChecks(options, await checksOf(options));
  const { stage, server, database, backup } = options;
  if (stage !== undefined) throw new CommandFailure(2, STAGE);
  if (server !== undefined) throw new CommandFailure(2, SERVER);
  const { upgradeFile } = await import("../upgrade/upgrade-file.ts");
  const upgraded = await upgradeFile(database, backup);
  if (upgraded.outcome === "current") return remark(`${database} needs no migration. Nothing was changed.`);
  const { from, copy } = upgraded;
  remark(`Copied ${database} to ${copy}, and migrated it from schema ${from} to ${NEWEST_DATABASE_SCHEMA}.`);
  remark(`Run "outlive verify". If it reports differences, run "outlive replay".`);
}

const STAGE = 'A deployment is upgraded with "cdk deploy". Check it with "outlive upgrade --check --stage NAME".';
const SERVER =
  'Stop the server, run "outlive upgrade --database FILE" beside it, and start the new release. ' +
  'Check it with "outlive upgrade --check --server URL".';

async function checksOf(options: UpgradeOptions) {
  const { stage, server, database, endpointUrl } = options;
  if (stage !== undefined) {
    const { checkStage } = await import("../upgrade/check-stage.ts");
    const { openStage } = await import("../upgrade/open-stage.ts");
    const opened = openStage({
      stage,
      ...(server !== undefined && { server }),
      openCredentials: (address) => openCredentials(address, options),
      ...(endpointUrl !== undefined && { endpointUrl }),
    });
    return collect(checkStage(opened));
  }
  if (server !== undefined) {
    const { remoteClient } = await import("../../src/host/client/remote-client.ts");
    const { checkServer } = await import("../upgrade/check-server.ts");
    return collect(checkServer(remoteClient(server, await openCredentials(server, options)), Date.now));
  }
  const { checkFile } = await import("../upgrade/check-file.ts");
  return checkFile(database);
}
