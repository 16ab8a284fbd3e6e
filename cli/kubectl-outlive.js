#!/usr/bin/env node
// `kubectl outlive COMMAND`: the same commands, asked of the server that the kubeconfig names where that is an Outlive (outlive kubeconfig writes one).
import { execFileSync } from "node:child_process";

/** The environment outlive reads its options from. */
// oxlint-disable-next-line node/no-process-env -- a plugin is told where to ask by what it hands on
const environment = process.env;

if (environment.OUTLIVE_SERVER === undefined && !process.argv.some((word) => word.startsWith("--server"))) {
  Object.assign(environment, await fromKubeconfig());
}
await import("./outlive.js");

/**
 * What `kubectl config view --minify` prints: one of each.
 * @typedef {object} Kubeconfig
 * @property {readonly { readonly cluster: { readonly server?: string } }[]} [clusters]
 * @property {readonly { readonly context: { readonly namespace?: string } }[]} [contexts]
 * @property {readonly { readonly user?: { readonly token?: string } }[]} [users]
 */

/** @returns {Promise<Record<string, string>>} what the current context says, or nothing */
async function fromKubeconfig() {
  const config = readConfig();
  const server = config.clusters?.[0]?.cluster.server;
  const token = config.users?.[0]?.user?.token;
  if (server === undefined || !(await isOutlive(server, token))) return {};
  const [, base = server, cluster] = /^(.*?)\/clusters\/([^/]+)\/?$/.exec(server) ?? [];
  const namespace = config.contexts?.[0]?.context.namespace;
  return unsaid({
    OUTLIVE_SERVER: base,
    OUTLIVE_CLUSTER: cluster,
    OUTLIVE_NAMESPACE: namespace,
    OUTLIVE_TOKEN: token,
  });
}

/**
 * Those that are known, and that the environment does not say otherwise.
 * @param {Readonly<Record<string, string | undefined>>} known
 * @returns {Record<string, string>}
 */
function unsaid(known) {
  /** @type {Record<string, string>} */
  const said = {};
  for (const [name, value] of Object.entries(known)) {
    if (value !== undefined && environment[name] === undefined) said[name] = value;
  }
  return said;
}

/**
 * kubectl knows how kubeconfigs are merged.
 * @returns {Kubeconfig}
 */
function readConfig() {
  try {
    const asked = ["config", "view", "--minify", "--raw", "-o", "json"];
    const printed = execFileSync("kubectl", asked, { stdio: ["ignore", "pipe", "ignore"] }).toString();
    return /** @type {Kubeconfig} */ (JSON.parse(printed));
  } catch {
    // No kubectl, or no context: outlive then asks what its own options say.
    return {};
  }
}

/**
 * Whether the server that kubectl asks is an Outlive and no cluster.
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
