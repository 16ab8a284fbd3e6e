import { type Command, InvalidArgumentError, Option } from "commander";
import { isKubeSystemUid } from "../../src/ingest/sender.ts";
import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { getJson } from "../../src/client/api-client.ts";
import { age } from "../output/job-columns.ts";
import { withClient } from "../query/with-client.ts";
import { addPrincipalOptions, type PrincipalOptions } from "../options/principal-options.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
import { addQueryOptions, type PrintOptions, type SourceOptions } from "../options/query-options.ts";
import { addRegistryOptions, isDeployed, type RegistryOptions, stackOption } from "../options/registry-options.ts";
import type { Column } from "../output/table.ts";

type ListOptions = SourceOptions & PrintOptions & Pick<RegistryOptions, "stack">;
type RegisterOptions = RegistryOptions & PrincipalOptions & { readonly kubeSystemUid?: string };

export function define(command: Command): void {
  addExamples(command, [
    ["outlive clusters", "every cluster that has sent something"],
    ["outlive clusters register prod-eu", "make one known before it sends anything"],
    ["outlive clusters list --stack Outlive-prod", "on AWS: who may speak for which cluster"],
  ]);
  defineList(command);
  defineRegister(command);
  defineUnregister(command);
}

function defineList(command: Command): void {
  const list = command
    .command("list", { isDefault: true })
    .description(
      "the clusters that are known, and how fresh what is known of them is; of a stack, who may speak for them",
    );
  addQueryOptions(list)
    .addOption(stackOption())
    .action(async (options: ListOptions) => {
      if (!isDeployed(options)) return withClient(options, (api) => printClusters(api, options));
      const { printSenders } = await import("../registry/print-senders.ts");
      return printSenders(options);
    });
  addExamples(list, [
    ["outlive clusters", "every cluster that has sent something"],
    ["outlive clusters list -o yaml", "with their namespaces"],
    ["outlive clusters list --stack Outlive-prod", "with the principals that may speak for them"],
  ]);
}

function defineRegister(command: Command): void {
  const register = command
    .command("register")
    .description("make a cluster known, and on AWS say which IAM principal may speak for it")
    .argument("<name>", "1 to 63 letters, digits, '.', '_' and '-'");
  addRegistryOptions(addPrincipalOptions(register))
    .addOption(
      new Option(
        "--kube-system-uid <uid>",
        "which cluster goes by this name: the uid of its namespace kube-system. Its first segment says so unless you do; say it again where the cluster was made anew",
      ).argParser(readKubeSystemUid),
    )
    .action(async (name: string, options: RegisterOptions) => {
      const { registerCluster } = await import("../registry/register-cluster.ts");
      await registerCluster(name, options);
    });
  addExamples(register, [
    ["outlive clusters register prod-eu", "in the database file"],
    [
      "outlive clusters register prod-eu --stack Outlive-prod --principal-arn arn:aws:iam::123456789012:role/outlive-prod-eu",
      "on AWS: the exporter's role may speak for it; the role's id is looked up and kept",
    ],
    [
      "outlive clusters register prod-eu --stack Outlive-prod --principal-id AROAEXAMPLEEXAMPLE12",
      "the same by the id, for a role of another account; several principals may speak for one cluster",
    ],
  ]);
}

function defineUnregister(command: Command): void {
  const unregister = command
    .command("unregister")
    .description("let an IAM principal speak no longer; what it said stays");
  addRegistryOptions(addPrincipalOptions(unregister)).action(async (options: RegistryOptions & PrincipalOptions) => {
    const { unregister: strikeOff } = await import("../registry/register-cluster.ts");
    await strikeOff(options);
  });
  addExamples(unregister, [
    [
      "outlive clusters unregister --stack Outlive-prod --principal-id AROAEXAMPLEEXAMPLE12",
      "it is heard for a minute more",
    ],
  ]);
}

function readKubeSystemUid(text: string): string {
  if (isKubeSystemUid(text)) return text;
  throw new InvalidArgumentError("Write it as `kubectl get namespace kube-system -o jsonpath={.metadata.uid}` does.");
}

async function printClusters(api: Parameters<typeof getJson>[0], options: PrintOptions): Promise<void> {
  const answer = await getJson<{ readonly items: readonly ClusterAnswer[] }>(api, "/v1/clusters");
  const { items } = answer;
  if (items.length === 0 && isForPeople(options)) {
    return remark(`No clusters are known yet: import a recording with "outlive import RECORDING".`);
  }
  await printAnswer(options, {
    document: answer,
    rows: items,
    columns: columns(Date.now()),
    name: ({ name }) => `cluster/${name}`,
  });
}

function columns(now: number): readonly Column<ClusterAnswer>[] {
  return [
    { header: "NAME", cell: ({ name }) => name },
    { header: "VERSION", cell: ({ serverVersion }) => serverVersion },
    { header: "NAMESPACES", cell: ({ namespaces }) => namespaces.length },
    { header: "LAST-HEARD", cell: ({ observedAt }) => age(observedAt, now) },
    { header: "KUBE-SYSTEM-UID", wide: true, cell: ({ kubeSystemUid }) => kubeSystemUid },
  ];
}
