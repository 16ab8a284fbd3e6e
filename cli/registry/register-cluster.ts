import { PROBE_CLUSTER } from "../../src/ingest/probe-cluster.ts";
import { registerKubeSystem, registerPrincipal, unregisterPrincipal } from "../../src/ingest/principals.ts";
import type { ClusterName } from "../../src/job/model/ids.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { noteCluster } from "../../src/projection/project-cluster.ts";
import { readClusterName } from "../../src/command-line/cluster-name.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { type ChosenPrincipal, choosePrincipal, type PrincipalOptions } from "../options/principal-options.ts";
import { remark } from "../output/print-answer.ts";
import { isDeployed, type RegistryOptions } from "../options/registry-options.ts";
import { withRegistry } from "./with-registry.ts";

type Options = RegistryOptions & PrincipalOptions & { readonly kubeSystemUid?: string };

/** Makes a cluster known before it has sent anything, and says who may speak for it. */
export async function registerCluster(name: string, options: Options): Promise<void> {
  const cluster = readName(name);
  const principal = await choosePrincipal(options);
  if (principal !== undefined && !isDeployed(options)) throw new CommandFailure(2, ONLY_ON_AWS);
  await withRegistry(options, async ({ meta, place }) => {
    if (principal !== undefined) await letSpeak(meta, cluster, principal);
    await noteCluster(meta, cluster);
    if (options.kubeSystemUid !== undefined) await identify(meta, cluster, options.kubeSystemUid);
    remark(`Cluster ${cluster} is known in ${place}.`);
    if (principal !== undefined) remark(`Principal ${principal.principalId} may speak for it.`);
  });
}

export async function unregister(options: RegistryOptions & PrincipalOptions): Promise<void> {
  if (!isDeployed(options)) throw new CommandFailure(2, ONLY_ON_AWS);
  const principal = await choosePrincipal(options);
  if (principal === undefined) throw new CommandFailure(2, "Say who: --principal-id or --principal-arn.");
  await withRegistry(options, async ({ meta }) => {
    const { principalId } = principal;
    const struck = await unregisterPrincipal(meta, principalId, Date.now());
    switch (struck.outcome) {
      case "unregistered":
        return remark(
          `Principal ${principalId} may no longer speak for ${struck.cluster}. It is heard for up to a minute more.`,
        );
      case "notRegistered":
        throw new CommandFailure(
          1,
          `Principal ${principalId} is not registered: "outlive clusters list --stack ..." shows who is.`,
        );
      case "conflict":
        throw new CommandFailure(2, BUSY);
    }
  });
}

const ONLY_ON_AWS =
  "Only a deployment on AWS is told who sends: name it with --stack or --meta-table. A database file takes what its own process sees.";
const BUSY = "Somebody else registered something at this moment: try again.";

function readName(name: string): ClusterName {
  const cluster = readClusterName(name);
  if (cluster === PROBE_CLUSTER) {
    throw new CommandFailure(2, `"${name}" is the name that "outlive doctor" speaks under: choose another one.`);
  }
  return cluster;
}

async function letSpeak(meta: MetaStore, cluster: ClusterName, principal: ChosenPrincipal): Promise<void> {
  const registered = await registerPrincipal(meta, { cluster, ...principal }, Date.now());
  switch (registered.outcome) {
    case "registered":
    case "unchanged":
      return;
    case "registeredElsewhere":
      throw new CommandFailure(
        2,
        `Principal ${principal.principalId} speaks for ${registered.cluster}, and a principal speaks for one cluster: give the exporter of ${cluster} a role of its own, or run "outlive clusters unregister --principal-id ${principal.principalId}" first.`,
      );
    case "conflict":
      throw new CommandFailure(2, BUSY);
  }
}

async function identify(meta: MetaStore, cluster: ClusterName, kubeSystemUid: string): Promise<void> {
  if ((await registerKubeSystem(meta, cluster, kubeSystemUid)) === "conflict") throw new CommandFailure(2, BUSY);
}
