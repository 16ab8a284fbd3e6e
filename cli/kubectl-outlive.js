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

/** @returns {Promise<Record<string, string>>} what the current context says, or nothing */
async function fromKubeconfig() {
  const config = readConfig();
  const server = config?.clusters?.[0]?.cluster?.server;
  if (server === undefined) return {};
  const [, base = server, cluster] = /^(.*?)\/clusters\/([^/]+)\/?$/.exec(server) ?? [];
  const { namespace } = config.contexts?.[0]?.context ?? {};
  const { token } = config.users?.[0]?.user ?? {};
  if (!(await isOutlive(server, token))) return {};
  return {
    OUTLIVE_SERVER: base,
    ...(cluster !== undefined && { OUTLIVE_CLUSTER: cluster }),
    ...(namespace !== undefined && environment.OUTLIVE_NAMESPACE === undefined && { OUTLIVE_NAMESPACE: namespace }),
    ...(token !== undefined && environment.OUTLIVE_TOKEN === undefined && { OUTLIVE_TOKEN: token }),
  };
}

/** kubectl knows how kubeconfigs are merged. */
function readConfig() {
  try {
    const asked = ["config", "view", "--minify", "--raw", "-o", "json"];
    return JSON.parse(execFileSync("kubectl", asked, { stdio: ["ignore", "pipe", "ignore"] }).toString());
  } catch {
    // No kubectl, or no context: outlive then asks what its own options say.
    return undefined;
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
