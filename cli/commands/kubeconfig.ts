import { type Command, Option } from "commander";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { clusterOption, namespaceOption } from "../options/query-options.ts";
import { addTokenOptions, readToken, type TokenOptions } from "../options/token-options.ts";

interface KubeconfigOptions extends TokenOptions {
  readonly server: string;
  readonly cluster?: string;
  readonly namespace: string;
}

const STANDARD_SERVER = "http://127.0.0.1:8080";

export function define(command: Command): void {
  command
    .addOption(
      new Option("--server <url>", "Outlive server for kubectl").env("OUTLIVE_SERVER").default(STANDARD_SERVER),
    )
    .addOption(clusterOption("cluster whose Jobs kubectl shows; required if several are known"))
    .addOption(namespaceOption("default namespace of kubectl"));
  addTokenOptions(command).action(print);
  addExamples(command, [
    ["outlive kubeconfig --cluster prod > outlive.kubeconfig", "print a kubeconfig that points kubectl at Outlive"],
    ["kubectl --kubeconfig outlive.kubeconfig get jobs -A", "list the Jobs of the cluster, including deleted ones"],
  ]);
}

async function print(options: KubeconfigOptions): Promise<void> {
  const { stringify } = await import("../output/yaml-library.ts");
  process.stdout.write(stringify(kubeconfigOf(options), { lineWidth: 0 }));
}

/** A kubeconfig (`v1` Config). It contains the token: protect the file like the token. */
function kubeconfigOf(options: KubeconfigOptions): unknown {
  const { server, cluster, namespace } = options;
  const base = URL.parse(/^https?:\/\//i.test(server) ? server : `http://${server}`);
  if (base === null) {
    throw new CommandFailure(2, `"${server}" is not the URL of a server. Write it as http://HOST:PORT.`);
  }
  const token = readToken(options);
  const name = cluster === undefined ? "outlive" : `outlive-${cluster}`;
  const path = cluster === undefined ? "" : `/clusters/${cluster}`;
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster: { server: `${base.href.replace(/\/$/, "")}${path}` } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    users: [{ name, user: token === undefined ? {} : { token } }],
  };
}
