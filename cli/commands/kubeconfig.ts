import { type Command, Option } from "commander";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
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
      new Option("--server <url>", "the Outlive server that kubectl is to ask")
        .env("OUTLIVE_SERVER")
        .default(STANDARD_SERVER),
    )
    .addOption(clusterOption("which cluster's Jobs kubectl shows; needed where several are known"))
    .addOption(namespaceOption("the namespace kubectl asks for unless told another"));
  addTokenOptions(command).action(print);
  addExamples(command, [
    ["outlive kubeconfig --cluster prod > outlive.kubeconfig", "a kubeconfig that points kubectl at Outlive"],
    ["kubectl --kubeconfig outlive.kubeconfig get jobs -A", "Jobs of the cluster, whether they still exist or not"],
  ]);
}

async function print(options: KubeconfigOptions): Promise<void> {
  const { stringify } = await import("yaml");
  process.stdout.write(stringify(kubeconfigOf(options), { lineWidth: 0 }));
}

/** What kubectl reads from KUBECONFIG (`v1` Config). The token is written down in it: keep the file as you keep the token. */
function kubeconfigOf(options: KubeconfigOptions): unknown {
  const { server, cluster, namespace } = options;
  const base = URL.parse(/^https?:\/\//i.test(server) ? server : `http://${server}`);
  if (base === null) throw new CommandFailure(2, `"${server}" is not the URL of a server: write http://HOST:PORT.`);
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
