import type { Command } from "commander";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { asArgument } from "../../src/host/command-line/as-argument.ts";
import { addPrintOptions, anyNamespaceOption, clusterOption, databaseOption } from "../options/query-options.ts";
import type { PrintOptions } from "../options/query-options.ts";
import { stageOption } from "../options/registry-options.ts";
import type { RetentionPlace } from "./retention-store.ts";
import type { RetentionOptions } from "./retention-store.ts";

export function define(command: Command): void {
  addExamples(command, [["outlive retention", "list the clusters and namespaces with a retention of their own"]]);
  const list = command
    .command("list", { isDefault: true })
    .description("List the retention of clusters and namespaces");
  addPrintOptions(list.addOption(stageOption()).addOption(databaseOption())).action(
    async (options: PrintOptions & RetentionOptions) => {
      await (await import("./retention-records.ts")).printRetention(options);
    },
  );
  addExamples(list, [["outlive retention list -o json", "print it for a program"]]);
  const set = command
    .command("set")
    .description("Set for how many days the Jobs of a cluster, or of one namespace, are kept after their end")
    .argument("<days>", "whole number of days", asArgument(readDays));
  addPlaceOptions(set).action(async (days: number, options: RetentionPlace) => {
    await (await import("./retention-records.ts")).setRetention(days, options);
  });
  addExamples(set, [
    ["outlive retention set 400 --cluster prod-eu -n payments", "keep the Jobs of a namespace longer"],
    ["outlive retention set 30 --cluster test --stage prod", "keep the Jobs of a cluster shorter, on AWS"],
  ]);
  const unset = command.command("unset").description("Let a cluster or namespace follow the general setting again");
  addPlaceOptions(unset).action(async (options: RetentionPlace) => {
    await (await import("./retention-records.ts")).setRetention(undefined, options);
  });
  addExamples(unset, [["outlive retention unset --cluster prod-eu -n payments", "keep them as long as others"]]);
}

function addPlaceOptions(command: Command): Command {
  return command
    .addOption(clusterOption("cluster of the Jobs").makeOptionMandatory())
    .addOption(anyNamespaceOption("only this namespace of the cluster"))
    .addOption(stageOption())
    .addOption(databaseOption());
}

function readDays(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new CommandFailure(
    2,
    "Write a whole number of days, at least 1: the archive may be hours behind, and must have a Job before it expires.",
  );
}
