import { type Command, InvalidArgumentError, Option } from "commander";
import { isKubeSystemUid } from "../../src/log/sender.ts";
import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { getJson } from "../../src/host/client/api-client.ts";
import { age } from "../output/job-columns.ts";
import { withClient } from "../query/with-client.ts";
import { addPrincipalOptions, type PrincipalOptions } from "../options/principal-options.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { addQueryOptions, type PrintOptions, type SourceOptions } from "../options/query-options.ts";
import { addRegistryOptions, type RegistryOptions, stageOption } from "../options/registry-options.ts";
import type { Column } from "../output/table.ts";

type StageOptions = Pick<RegistryOptions, "stage">;
type ListOptions = SourceOptions & PrintOptions & StageOptions;
type RegisterOptions = RegistryOptions & PrincipalOptions & { readonly kubeSystemUid?: string };

export function define(command: Command): void {
  addExamples(command, [
    ["outlive clusters", "list the known clusters"],
    ["outlive clusters register prod-eu", "register a cluster before it sends anything"],
    ["outlive clusters list --stage prod", "list the senders of each cluster of a deployment on AWS"],
  ]);
  defineList(command);
  defineRegister(command);
  defineUnregister(command);
}

function defineList(command: Command): void {
  const list = command
    .command("list", { isDefault: true })
    .description("List clusters and when their last data arrived; with --stage, their senders");
  addQueryOptions(list)
    .addOption(stageOption())
    .action(async (options: ListOptions) => {
      const { stage } = options;
      if (stage === undefined) return withClient(options, (api) => printClusters(api, options));
      const { printSenders } = await import("../registry/print-senders.ts");
      return printSenders({ ...options, stage });
    });
  addExamples(list, [
    ["outlive clusters", "list the known clusters"],
    ["outlive clusters list -o yaml", "list them with their namespaces"],
    ["outlive clusters list --stage prod", "list them with the principals that may send for them"],
  ]);
}

function defineRegister(command: Command): void {
  const register = command
    .command("register")
    .description("Register a cluster, and on AWS the IAM principal that may send for it")
    .argument("<name>", "1 to 63 letters, digits, '.', '_' and '-'");
  addRegistryOptions(addPrincipalOptions(register))
    .addOption(
      new Option(
        "--kube-system-uid <uid>",
        "uid of the cluster's namespace kube-system, which identifies the cluster " +
          "(default: from its first segment); set it again if you created the cluster again",
      ).argParser(readKubeSystemUid),
    )
    .action(async (name: string, options: RegisterOptions) => {
      const { registerCluster } = await import("../registry/register-cluster.ts");
      await registerCluster(name, options);
    });
  addExamples(register, [
    ["outlive clusters register prod-eu", "register it in the database file"],
    [
      "outlive clusters register prod-eu --stage prod " +
        "--principal-arn arn:aws:iam::123456789012:role/outlive-prod-eu",
      "on AWS: let the exporter's role send for it; the command looks up the id of the role",
    ],
    [
      "outlive clusters register prod-eu --stage prod --principal-id AROAEXAMPLEEXAMPLE12",
      "the same by id, for a role of another account; a cluster can have several senders",
    ],
  ]);
}

function defineUnregister(command: Command): void {
  const unregister = command
    .command("unregister")
    .description("Remove an IAM principal as a sender; the data that it sent stays");
  addPrincipalOptions(unregister)
    .addOption(stageOption())
    .action(async (options: StageOptions & PrincipalOptions) => {
      const { unregister } = await import("../registry/register-cluster.ts");
      await unregister(options);
    });
  addExamples(unregister, [
    ["outlive clusters unregister --stage prod --principal-id AROAEXAMPLEEXAMPLE12", "takes effect within a minute"],
  ]);
}

function readKubeSystemUid(text: string): string {
  if (isKubeSystemUid(text)) return text;
  throw new InvalidArgumentError(
    "Write the output of `kubectl get namespace kube-system -o jsonpath={.metadata.uid}`.",
  );
}

async function printClusters(api: Parameters<typeof getJson>[0], options: PrintOptions): Promise<void> {
  const answer = await getJson<{ readonly items: readonly ClusterAnswer[] }>(api, "/v1/clusters");
  const { items } = answer;
  if (items.length === 0 && isForPeople(options)) {
    return remark("No clusters are known yet. Import a recording: outlive import RECORDING");
  }
  await printAnswer(options, {
    document: answer,
    rows: items,
    columns: columns(Date.now()),
    name: ({ name }) => `cluster/${name}`,
  });
}

const HEARD: Column<ClusterAnswer> = { header: "LAST-HEARD", cell: ({ observedAt }) => observedAt };

function columns(now: number): readonly Column<ClusterAnswer>[] {
  return [
    { header: "NAME", cell: ({ name }) => name },
    { header: "VERSION", cell: ({ serverVersion }) => serverVersion },
    { header: "NAMESPACES", cell: ({ namespaces }) => namespaces.length },
    { header: "LAST-HEARD", cell: ({ observedAt }) => age(observedAt, now), csv: [HEARD] },
    { header: "KUBE-SYSTEM-UID", wide: true, cell: ({ kubeSystemUid }) => kubeSystemUid },
  ];
}
