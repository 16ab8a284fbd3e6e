import type { Command } from "commander";
import type { ClusterAnswer } from "../../src/query/clusters.ts";
import { ask } from "../api.ts";
import { age } from "../job-columns.ts";
import { withApi } from "../open-api.ts";
import { isForPeople, printAnswer, remark } from "../print-answer.ts";
import {
  addExamples,
  addQuestionOptions,
  databaseOption,
  type PrintOptions,
  type SourceOptions,
} from "../question-options.ts";
import type { Column } from "../table.ts";

export function define(command: Command): void {
  addExamples(command, [
    ["outlive clusters", "every cluster that has sent something"],
    ["outlive clusters register prod-eu", "make one known before it sends anything"],
  ]);
  const list = command
    .command("list", { isDefault: true })
    .description("the clusters that are known, and how fresh what is known of them is");
  addQuestionOptions(list).action(async (options: SourceOptions & PrintOptions) =>
    withApi(options, (api) => printClusters(api, options)),
  );
  addExamples(list, [
    ["outlive clusters", "every cluster that has sent something"],
    ["outlive clusters list -o yaml", "with their namespaces"],
  ]);
  const register = command
    .command("register")
    .description("make a cluster known before it sends anything")
    .argument("<name>", "1 to 63 letters, digits, '.', '_' and '-'");
  register.addOption(databaseOption()).action(async (name: string, { database }: { readonly database: string }) => {
    const { registerCluster } = await import("../register-cluster.ts");
    await registerCluster(database, name);
  });
  addExamples(register, [["outlive clusters register prod-eu", "in the database file"]]);
}

async function printClusters(api: Parameters<typeof ask>[0], options: PrintOptions): Promise<void> {
  const answer = await ask<{ readonly items: readonly ClusterAnswer[] }>(api, "/v1/clusters");
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
