#!/usr/bin/env node
// `kubectl outlive COMMAND`: the same commands. If the kubeconfig names an Outlive server, they query that server.
// `outlive kubeconfig` writes such a kubeconfig.
import { execFileSync } from "node:child_process";

/** The environment from which outlive reads its options. */
// oxlint-disable-next-line node/no-process-env -- the plugin passes the server to outlive in the environment
const environment = process.env;

if (environment.OUTLIVE_SERVER === undefined && !process.argv.some((word) => word.startsWith("--server"))) {
  Object.assign(environment, await fromKubeconfig());
}
await import("./outlive.js");

/**
 * What `kubectl config view --minify` prints: one cluster, one context and one user.
 * @typedef {object} Kubeconfig
 * @property {readonly { readonly cluster: { readonly server?: string } }[]} [clusters]
 * @property {readonly { readonly context: { readonly namespace?: string } }[]} [contexts]
 * @property {readonly { readonly user?: { readonly token?: string } }[]} [users]
 */

/** @returns {Promise<Record<string, string>>} the variables of the current context; empty if it is not an Outlive */
async function fromKubeconfig() {
  const { server, token, namespace } = currentContext(readConfig());
  if (server === undefined || !(await isOutlive(server, token))) return {};
  const [, base = server, cluster] = /^(.*?)\/clusters\/([^/]+)\/?$/.exec(server) ?? [];
  return withoutSetVariables({
    OUTLIVE_SERVER: base,
    OUTLIVE_CLUSTER: cluster,
    OUTLIVE_NAMESPACE: namespace,
    OUTLIVE_TOKEN: token,
  });
}

/** @param {Kubeconfig} config */
function currentContext({ clusters: [cluster] = [], contexts: [context] = [], users: [user] = [] }) {
  return { server: cluster?.cluster.server, token: user?.user?.token, namespace: context?.context.namespace };
}

/**
 * The variables that have a value. Those that the environment already sets take precedence.
 * @param {Readonly<Record<string, string | undefined>>} variables
 * @returns {Record<string, string>}
 */
function withoutSetVariables(variables) {
  /** @type {Record<string, string>} */
  const unset = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && environment[name] === undefined) unset[name] = value;
  }
  return unset;
}

/**
 * Calls kubectl, because kubectl merges kubeconfigs.
 * @returns {Kubeconfig}
 */
function readConfig() {
  try {
    const view = ["config", "view", "--minify", "--raw", "-o", "json"];
    const printed = execFileSync("kubectl", view, { stdio: ["ignore", "pipe", "ignore"] }).toString();
    return /** @type {Kubeconfig} */ (JSON.parse(printed));
  } catch {
    // There is no kubectl, or no context: outlive then uses its own options only.
    return {};
  }
}

/**
 * Whether the server of kubectl is an Outlive, and not a cluster.
 * @param {string} server
 * @param {string | undefined} token
 */
async function isOutlive(server, token) {
  try {
    const answer = await fetch(`${server.replace(/\/$/, "")}/version`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(5_000),
    });
    const { gitVersion } = /** @type {{ readonly gitVersion?: string }} */ (await answer.json());
    return gitVersion?.includes("+outlive") ?? false;
  } catch {
    return false;
  }
}
