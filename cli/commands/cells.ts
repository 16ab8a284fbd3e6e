import { type Command, Option } from "commander";
import { addExamples } from "../../src/command-line/add-examples.ts";
import { addPrintOptions, type PrintOptions } from "../options/query-options.ts";
import { addRegistryOptions, type RegistryOptions } from "../options/registry-options.ts";

type AddOptions = RegistryOptions & { readonly url?: string; readonly self?: true };

const STACK = "--stack Outlive-prod";

export function define(command: Command): void {
  addExamples(command, [[`outlive cells ${STACK}`, "list the cells of a deployment, and their clusters"]]);
  const list = command.command("list", { isDefault: true }).description("List cells and the clusters assigned to them");
  addPrintOptions(addRegistryOptions(list)).action(async (options: RegistryOptions & PrintOptions) => {
    const { printCells } = await import("../registry/cells.ts");
    await printCells(options);
  });
  addExamples(list, [[`outlive cells list ${STACK} -o yaml`, "list them with their addresses"]]);
  defineChanges(command);
}

function defineChanges(command: Command): void {
  const add = command
    .command("add")
    .description("Add a deployment whose Jobs this one also answers for, or change its address")
    .argument("<name>", "1 to 16 of a-z, 0-9 and -, a letter first");
  addRegistryOptions(add)
    .addOption(new Option("--url <url>", "address of its API: the output ApiUrl of its stack").conflicts("self"))
    .addOption(new Option("--self", "this deployment itself"))
    .action(async (name: string, options: AddOptions) => (await import("../registry/cells.ts")).add(name, options));
  addExamples(add, [
    [`outlive cells add eu --self ${STACK}`, "give this deployment a name; add it first"],
    [`outlive cells add us --url https://abc.execute-api.us-east-1.amazonaws.com/prod ${STACK}`, "add another one"],
  ]);
  const remove = command.command("remove").description("Remove a cell without clusters").argument("<name>");
  addRegistryOptions(remove).action(async (name: string, options: RegistryOptions) =>
    (await import("../registry/cells.ts")).remove(name, options),
  );
  addExamples(remove, [[`outlive cells remove us ${STACK}`, "its Jobs are then missing from the answers"]]);
  const assign = command
    .command("assign")
    .description("Record the cell that a cluster sends to; its earlier cell keeps the earlier Jobs")
    .argument("<cluster>")
    .argument("<cell>");
  addRegistryOptions(assign).action(async (cluster: string, cell: string, options: RegistryOptions) =>
    (await import("../registry/cells.ts")).assign(cluster, cell, options),
  );
  addExamples(assign, [[`outlive cells assign prod-us us ${STACK}`, "questions about prod-us go to cell us"]]);
  const forget = command
    .command("forget")
    .description("Forget the earlier cells of a cluster, after their Jobs have expired")
    .argument("<cluster>");
  addRegistryOptions(forget).action(async (cluster: string, options: RegistryOptions) =>
    (await import("../registry/cells.ts")).forget(cluster, options),
  );
  addExamples(forget, [[`outlive cells forget prod-us ${STACK}`, "stop asking them about it"]]);
}
