import type { Command } from "commander";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { addPrintOptions, anyNamespaceOption, clusterOption, databaseOption } from "../options/query-options.ts";
import type { PrintOptions } from "../options/query-options.ts";
import { stageOption } from "../options/registry-options.ts";
import type { RetentionPlace } from "../retention/retention-store.ts";
import type { RetentionOptions } from "../retention/retention-store.ts";

export function define(command: Command): void {
  addExamples(command, [["outlive hold", "list the legal holds in force"]]);
  const list = command.command("list", { isDefault: true }).description("List legal holds");
  addPrintOptions(list.addOption(stageOption()).addOption(databaseOption()))
    .option("--all", "also list released ones")
    .action(async (options: PrintOptions & RetentionOptions & { readonly all?: true }) => {
      await (await import("./hold-records.ts")).printHolds(options);
    });
  addExamples(list, [["outlive hold list --all", "list released ones too"]]);
  const set = command
    .command("set")
    .description("Keep Jobs, and what the log has of them, after their retention")
    .argument("[job]", "NAME or job/NAME: only the Jobs of this name")
    .requiredOption("--reason <text>", "why they are held, such as the number of a case");
  addPlaceOptions(set).action(
    async (job: string | undefined, options: RetentionPlace & { readonly reason: string }) => {
      await (await import("./hold-records.ts")).setHold(job, options);
    },
  );
  addExamples(set, [
    ["outlive hold set --cluster prod-eu -n payments --reason case-4711", "hold the Jobs of a namespace"],
    ["outlive hold set job/report --cluster prod-eu -n payments --reason case-4711", "hold the Jobs of one name"],
    ["outlive hold set --cluster prod-eu --reason case-4711 --stage prod", "hold all Jobs of a cluster, on AWS"],
  ]);
  const release = command
    .command("release")
    .description("End a legal hold")
    .argument("[job]", "NAME or job/NAME, as the hold was set");
  addPlaceOptions(release).action(async (job: string | undefined, options: RetentionPlace) => {
    await (await import("./hold-records.ts")).releaseHold(job, options);
  });
  addExamples(release, [["outlive hold release --cluster prod-eu -n payments", "end the hold of a namespace"]]);
}

function addPlaceOptions(command: Command): Command {
  return command
    .addOption(clusterOption("cluster of the Jobs").makeOptionMandatory())
    .addOption(anyNamespaceOption("only this namespace of the cluster"))
    .addOption(stageOption())
    .addOption(databaseOption());
}
