import { PROBE_CLUSTER } from "../../src/ports/records/cluster-record.ts";
import { registerKubeSystem, registerPrincipal, unregisterPrincipal } from "../../src/log/principals.ts";
import type { ClusterName } from "../../src/job/model/ids.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { noteCluster } from "../../src/projection/project-cluster.ts";
import { readClusterName } from "../../src/host/command-line/cluster-name.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { type ChosenPrincipal, choosePrincipal, type PrincipalOptions } from "../options/principal-options.ts";
import { remark } from "../output/print-answer.ts";
import { isDeployed, type RegistryOptions } from "../options/registry-options.ts";
import { withRegistry } from "./with-registry.ts";

type Options = RegistryOptions & PrincipalOptions & { readonly kubeSystemUid?: string };

/** Registers a cluster before it has sent anything, and its sender. */
export async function registerCluster(name: string, options: Options): Promise<void> {
  const cluster = readName(name);
  const principal = await choosePrincipal(options);
  if (principal !== undefined && !isDeployed(options)) throw new CommandFailure(2, ONLY_ON_AWS);
  await withRegistry(options, async ({ meta, name: registry }) => {
    if (principal !== undefined) await registerSender(meta, cluster, principal);
    await noteCluster(meta, cluster);
    if (options.kubeSystemUid !== undefined) await identify(meta, cluster, options.kubeSystemUid);
    remark(`Registered cluster ${cluster} in ${registry}.`);
    if (principal !== undefined) remark(`Principal ${principal.principalId} may send for it.`);
  });
}

export async function unregister(options: RegistryOptions & PrincipalOptions): Promise<void> {
  if (!isDeployed(options)) throw new CommandFailure(2, ONLY_ON_AWS);
  const principal = await choosePrincipal(options);
  if (principal === undefined) {
    throw new CommandFailure(2, "No principal is named. Set --principal-id or --principal-arn.");
  }
  await withRegistry(options, async ({ meta }) => {
    const { principalId } = principal;
    const unregistered = await unregisterPrincipal(meta, principalId, Date.now());
    switch (unregistered.outcome) {
      case "unregistered":
        return remark(
          `Principal ${principalId} may no longer send for ${unregistered.cluster}. This takes effect within a minute.`,
        );
      case "notRegistered":
        throw new CommandFailure(
          1,
          `Principal ${principalId} is not registered. "outlive clusters list --stack ..." lists the senders.`,
        );
      case "conflict":
        throw new CommandFailure(2, BUSY);
    }
  });
}

const ONLY_ON_AWS =
  "Only a deployment on AWS has senders: name it with --stack or --meta-table. " +
  "A database file has one process that writes it.";
const BUSY = "Another process changed the registrations at the same time. Try again.";

function readName(name: string): ClusterName {
  const cluster = readClusterName(name);
  if (cluster === PROBE_CLUSTER) {
    throw new CommandFailure(2, `"${name}" is reserved for the probes of "outlive doctor". Choose another name.`);
  }
  return cluster;
}

async function registerSender(meta: MetaStore, cluster: ClusterName, principal: ChosenPrincipal): Promise<void> {
  const registered = await registerPrincipal(meta, { cluster, ...principal }, Date.now());
  switch (registered.outcome) {
    case "registered":
    case "unchanged":
      return;
    case "registeredElsewhere":
      throw new CommandFailure(
        2,
        `Principal ${principal.principalId} already sends for ${registered.cluster}, and a principal sends for one ` +
          `cluster only. Give the exporter of ${cluster} its own role, or first run ` +
          `"outlive clusters unregister --principal-id ${principal.principalId}".`,
      );
    case "conflict":
      throw new CommandFailure(2, BUSY);
  }
}

async function identify(meta: MetaStore, cluster: ClusterName, kubeSystemUid: string): Promise<void> {
  if ((await registerKubeSystem(meta, cluster, kubeSystemUid)) === "conflict") throw new CommandFailure(2, BUSY);
}
