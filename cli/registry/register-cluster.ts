import { PROBE_CLUSTER } from "../../src/ports/deployment/limits.ts";
import { registerKubeSystem, registerPrincipal } from "../../src/log/principals.ts";
import type { ClusterName } from "../../src/job/model/ids.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { noteCluster } from "../../src/projection/project-cluster.ts";
import { readClusterName } from "../../src/host/command-line/cluster-name.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import {
  type ChosenPrincipal,
  choosePrincipal,
  type PrincipalOptions,
  requirePrincipal,
} from "../options/principal-options.ts";
import { remark } from "../output/print-answer.ts";
import type { RegistryOptions } from "../options/registry-options.ts";
import { openRegistrations } from "./open-registrations.ts";
import { withRegistry } from "./with-registry.ts";

type Options = RegistryOptions & PrincipalOptions & { readonly kubeSystemUid?: string };

/** Registers a cluster before it has sent anything, and its sender. */
export async function registerCluster(name: string, options: Options): Promise<void> {
  const cluster = readName(name);
  const principal = await choosePrincipal(options);
  if (principal !== undefined) await registerSender(requireStage(options), cluster, principal);
  await withRegistry(options, async ({ meta, name: registry }) => {
    await noteCluster(meta, cluster);
    if (options.kubeSystemUid !== undefined) await identify(meta, cluster, options.kubeSystemUid);
    remark(`Registered cluster ${cluster} in ${registry}.`);
    if (principal !== undefined) {
      remark(`Principal ${principal.principalId} may send for it. This takes effect within a minute.`);
    }
  });
}

export async function unregister(options: Pick<Options, "stage"> & PrincipalOptions): Promise<void> {
  const { registrations } = await openRegistrations(requireStage(options));
  const { principalId } = await requirePrincipal(options);
  if ((await registrations.remove("senders", principalId)) === "absent") {
    throw new CommandFailure(
      1,
      `Principal ${principalId} is not registered. "outlive clusters list --stage ..." lists the senders.`,
    );
  }
  remark(`Principal ${principalId} may no longer send. This takes effect within a minute.`);
}

function requireStage({ stage }: Pick<Options, "stage">): string {
  if (stage !== undefined) return stage;
  throw new CommandFailure(
    2,
    "Only a deployment on AWS has senders: name it with --stage. A database file has one process that writes it.",
  );
}

const BUSY = "Another process changed the cluster at the same time. Try again.";

function readName(name: string): ClusterName {
  const cluster = readClusterName(name);
  if (cluster === PROBE_CLUSTER) {
    throw new CommandFailure(2, `"${name}" is reserved for the probes of "outlive doctor". Choose another name.`);
  }
  return cluster;
}

async function registerSender(stage: string, cluster: ClusterName, principal: ChosenPrincipal): Promise<void> {
  const { registrations } = await openRegistrations(stage);
  const registered = await registerPrincipal(registrations, { cluster, ...principal });
  const { principalId } = principal;
  switch (registered.outcome) {
    case "registered":
    case "unchanged":
      return;
    case "registeredElsewhere":
      throw new CommandFailure(
        2,
        `Principal ${principalId} already sends for ${registered.cluster}, and a principal sends for one ` +
          `cluster only. Give the exporter of ${cluster} its own role, or first run ` +
          `"outlive clusters unregister --principal-id ${principalId}".`,
      );
    case "conflict":
      throw new CommandFailure(2, BUSY);
    case "invalid":
      throw new CommandFailure(
        2,
        `The parameter of principal ${principalId} contains no registration. Run ` +
          `"outlive clusters unregister --principal-id ${principalId}", then repeat this command.`,
      );
  }
}

async function identify(meta: MetaStore, cluster: ClusterName, kubeSystemUid: string): Promise<void> {
  if ((await registerKubeSystem(meta, cluster, kubeSystemUid)) === "conflict") throw new CommandFailure(2, BUSY);
}
