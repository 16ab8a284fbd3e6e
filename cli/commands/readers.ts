import type { Command } from "commander";
import { addPrincipalOptions, type PrincipalOptions } from "../options/principal-options.ts";
import { GRANT_FORMS } from "../../src/query/access/grant-text.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { addPrintOptions, type PrintOptions } from "../options/query-options.ts";
import { type RegistryOptions, stageOption } from "../options/registry-options.ts";

type StageOptions = Pick<RegistryOptions, "stage">;

export function define(command: Command): void {
  addExamples(command, [
    ["outlive readers --stage prod", "list the readers of an API with iamAccess, and their grants"],
  ]);
  const list = command.command("list", { isDefault: true }).description("List readers and their grants");
  addPrintOptions(list.addOption(stageOption())).action(async (options: StageOptions & PrintOptions) => {
    const { printReaders } = await import("../registry/reader-grants.ts");
    await printReaders(options);
  });
  addExamples(list, [["outlive readers list --stage prod -o yaml", "list them with their ARNs"]]);
  defineGrant(command);
  const revoke = command.command("revoke").description("Remove all grants of an IAM principal");
  addPrincipalOptions(revoke)
    .addOption(stageOption())
    .action(async (options: StageOptions & PrincipalOptions) => {
      const { revokeFrom } = await import("../registry/reader-grants.ts");
      await revokeFrom(options);
    });
  addExamples(revoke, [
    ["outlive readers revoke --stage prod --principal-id AROAEXAMPLEEXAMPLE12", "takes effect within a minute"],
  ]);
}

function defineGrant(command: Command): void {
  const grant = command
    .command("grant")
    .description("Set the grants of an IAM principal; replaces earlier grants")
    .argument("<grants...>", GRANT_FORMS);
  addPrincipalOptions(grant)
    .addOption(stageOption())
    .action(async (grants: readonly string[], options: StageOptions & PrincipalOptions) => {
      const { grantTo } = await import("../registry/reader-grants.ts");
      await grantTo(grants, options);
    });
  addExamples(grant, [
    [
      "outlive readers grant 'prod-eu/*' staging/batch --stage prod " +
        "--principal-arn arn:aws:iam::123456789012:role/analyst",
      "grant all of one cluster, and one namespace of another",
    ],
    [
      "outlive readers grant 'prod-eu/*' acknowledge:prod-eu/batch --stage prod --principal-id AROA...",
      "grant reading a cluster, and acknowledging in one of its namespaces",
    ],
  ]);
}
