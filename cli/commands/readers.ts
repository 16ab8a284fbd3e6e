import type { Command } from "commander";
import { addPrincipalOptions, type PrincipalOptions } from "../options/principal-options.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { addPrintOptions, type PrintOptions } from "../options/query-options.ts";
import { addRegistryOptions, type RegistryOptions } from "../options/registry-options.ts";

export function define(command: Command): void {
  addExamples(command, [
    ["outlive readers --stack Outlive-prod", "list the readers of an API with iamAccess, and their grants"],
  ]);
  const list = command.command("list", { isDefault: true }).description("List readers and their grants");
  addPrintOptions(addRegistryOptions(list)).action(async (options: RegistryOptions & PrintOptions) => {
    const { printReaders } = await import("../registry/reader-grants.ts");
    await printReaders(options);
  });
  addExamples(list, [["outlive readers list --stack Outlive-prod -o yaml", "list them with their ARNs"]]);
  const grant = command
    .command("grant")
    .description("Set the grants of an IAM principal; replaces earlier grants")
    .argument("<grants...>", "CLUSTER/NAMESPACE, CLUSTER/* or *");
  addRegistryOptions(addPrincipalOptions(grant)).action(
    async (grants: readonly string[], options: RegistryOptions & PrincipalOptions) => {
      const { grantTo } = await import("../registry/reader-grants.ts");
      await grantTo(grants, options);
    },
  );
  addExamples(grant, [
    [
      "outlive readers grant 'prod-eu/*' staging/batch --stack Outlive-prod " +
        "--principal-arn arn:aws:iam::123456789012:role/analyst",
      "grant all of one cluster, and one namespace of another",
    ],
  ]);
  const revoke = command.command("revoke").description("Remove all grants of an IAM principal");
  addRegistryOptions(addPrincipalOptions(revoke)).action(async (options: RegistryOptions & PrincipalOptions) => {
    const { grantTo } = await import("../registry/reader-grants.ts");
    await grantTo([], options);
  });
  addExamples(revoke, [
    [
      "outlive readers revoke --stack Outlive-prod --principal-id AROAEXAMPLEEXAMPLE12",
      "takes effect with its next request",
    ],
  ]);
}
