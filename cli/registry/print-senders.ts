import { listPrincipals, type Principal } from "../../src/log/principals.ts";
import { compareText } from "../../src/job/model/compare-text.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import { type ClusterAnswer, listClusters } from "../../src/query/clusters/clusters.ts";
import { age } from "../output/job-columns.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import type { PrintOptions } from "../options/query-options.ts";
import type { Column } from "../output/table.ts";
import { deployedMeta } from "../deployment/deployed-meta.ts";
import { openRegistrations } from "./open-registrations.ts";

interface Sender {
  readonly cluster: string;
  readonly principalId?: string;
  readonly arn?: string;
  readonly registeredAt?: string;
  /** When the last data of the cluster arrived. */
  readonly observedAt?: string;
}

type Options = PrintOptions & { readonly stage: string };

/** Prints a row for each cluster and sender. A cluster without a sender has a row of its own. */
export async function printSenders(options: Options): Promise<void> {
  const { registrations, deployment } = await openRegistrations(options.stage);
  const meta = deployedMeta(deployment.output("MetaTable"));
  const items = sendersOf(...(await Promise.all([listClusters(meta, "everything"), listPrincipals(registrations)])));
  if (items.length === 0 && isForPeople(options)) {
    return remark("No clusters are known yet. Register one: outlive clusters register NAME --principal-arn ARN");
  }
  await printAnswer<Sender>(options, {
    document: { items },
    rows: items,
    columns: columns(Date.now()),
    name: ({ cluster }) => `cluster/${cluster}`,
  });
}

/** A principal may be registered for a cluster that has not sent anything yet. */
function sendersOf(clusters: readonly ClusterAnswer[], principals: readonly Principal[]): readonly Sender[] {
  const senders = Map.groupBy<string, Principal>(principals, ({ cluster }) => cluster);
  const known = new Map(clusters.map(({ name, observedAt }) => [name, observedAt]));
  const names = [...new Set([...known.keys(), ...senders.keys()])].sort(compareText);
  return names.flatMap((cluster) => {
    const observedAt = known.get(cluster);
    const row = { cluster, ...(observedAt !== undefined && { observedAt }) };
    return (senders.get(cluster) ?? [undefined]).map((principal) => ({ ...row, ...described(principal) }));
  });
}

function described(principal: Principal | undefined): Omit<Sender, "cluster"> {
  if (principal === undefined) return {};
  const { principalId, arn, registeredAt } = principal;
  return {
    principalId,
    ...(arn !== undefined && { arn }),
    registeredAt: formatInstant(registeredAt),
  };
}

function columns(now: number): readonly Column<Sender>[] {
  return [
    { header: "NAME", cell: ({ cluster }) => cluster },
    { header: "PRINCIPAL", cell: ({ principalId }) => principalId },
    { header: "REGISTERED", cell: ({ registeredAt }) => age(registeredAt, now) },
    { header: "LAST-HEARD", cell: ({ observedAt }) => age(observedAt, now) },
    { header: "ARN", wide: true, cell: ({ arn }) => arn },
  ];
}
