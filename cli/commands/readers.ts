import type { Command } from "commander";
import { addPrincipalOptions, type PrincipalOptions } from "../options/principal-options.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
import { addPrintOptions, type PrintOptions } from "../options/query-options.ts";
import { addRegistryOptions, type RegistryOptions } from "../options/registry-options.ts";

export function define(command: Command): void {
  addExamples(command, [
    [
      "outlive readers --stack Outlive-prod",
      "which IAM principals may read what, where the API asks for AWS signatures",
    ],
  ]);
  const list = command.command("list", { isDefault: true }).description("who may read what");
  addPrintOptions(addRegistryOptions(list)).action(async (options: RegistryOptions & PrintOptions) => {
    const { printReaders } = await import("../registry/reader-grants.ts");
    await printReaders(options);
  });
  addExamples(list, [["outlive readers list --stack Outlive-prod -o yaml", "with their ARNs"]]);
  const grant = command
    .command("grant")
    .description("say what an IAM principal may read: exactly this, whatever it was before")
    .argument("<grants...>", "CLUSTER/NAMESPACE, CLUSTER/* or *");
  addRegistryOptions(addPrincipalOptions(grant)).action(
    async (grants: readonly string[], options: RegistryOptions & PrincipalOptions) => {
      const { grant: give } = await import("../registry/reader-grants.ts");
      await give(grants, options);
    },
  );
  addExamples(grant, [
    [
      "outlive readers grant 'prod-eu/*' staging/batch --stack Outlive-prod --principal-arn arn:aws:iam::123456789012:role/analyst",
      "all of one cluster, and one namespace of another",
    ],
  ]);
  const revoke = command.command("revoke").description("let an IAM principal read nothing");
  addRegistryOptions(addPrincipalOptions(revoke)).action(async (options: RegistryOptions & PrincipalOptions) => {
    const { grant: give } = await import("../registry/reader-grants.ts");
    await give([], options);
  });
  addExamples(revoke, [
    ["outlive readers revoke --stack Outlive-prod --principal-id AROAEXAMPLEEXAMPLE12", "from its next request on"],
  ]);
}
