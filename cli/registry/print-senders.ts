import { listPrincipals, type Principal } from "../../src/log/principals.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import { listClusters } from "../../src/query/clusters/clusters.ts";
import { age } from "../output/job-columns.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import type { PrintOptions } from "../options/query-options.ts";
import type { RegistryOptions } from "../options/registry-options.ts";
import type { Column } from "../output/table.ts";
import { withRegistry } from "./with-registry.ts";

interface Sender {
  readonly cluster: string;
  readonly principalId?: string;
  readonly arn?: string;
  readonly registeredAt?: string;
  /** When the last data of the cluster arrived. */
  readonly observedAt?: string;
}

/** Prints a row for each cluster and sender. A cluster without a sender has a row of its own. */
export async function printSenders(options: RegistryOptions & PrintOptions): Promise<void> {
  const items = await withRegistry(options, async ({ meta }) => {
    const [clusters, principals] = await Promise.all([listClusters(meta, "everything"), listPrincipals(meta)]);
    const senders = Map.groupBy<string, Principal>(principals, ({ cluster }) => cluster);
    return clusters.flatMap(({ name, observedAt }) => {
      const known = { cluster: name, ...(observedAt !== undefined && { observedAt }) };
      return (senders.get(name) ?? [undefined]).map((principal) => ({ ...known, ...described(principal) }));
    });
  });
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

function described(principal: Principal | undefined): Omit<Sender, "cluster"> {
  if (principal === undefined) return {};
  const { principalId, arn, registeredAt } = principal;
  return {
    principalId,
    ...(arn !== undefined && { arn }),
    ...(registeredAt !== undefined && { registeredAt: formatInstant(registeredAt) }),
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
