import {
  addCell,
  assignCluster,
  type CellRegistry,
  type Changed,
  changeRegistry,
  forgetPrevious,
  readRegistry,
  removeCell,
} from "../../src/cells/cell-registry.ts";
import { readClusterName } from "../../src/command-line/cluster-name.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { listClusters } from "../../src/query/clusters/clusters.ts";
import type { PrintOptions } from "../options/query-options.ts";
import { isDeployed, type RegistryOptions } from "../options/registry-options.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import type { Column } from "../output/table.ts";
import { type Registry, withRegistry } from "./with-registry.ts";

interface CellRow {
  readonly name: string;
  readonly url?: string;
  readonly clusters: readonly string[];
  /** Clusters that were in the cell before. */
  readonly earlier: readonly string[];
}

/** Prints a row for each cell. */
export async function printCells(options: RegistryOptions & PrintOptions): Promise<void> {
  requireDeployed(options);
  const rows = rowsOf(await withRegistry(options, ({ meta }) => readRegistry(meta)));
  if (rows.length === 0 && isForPeople(options)) return remark("This deployment answers for itself alone.");
  await printAnswer<CellRow>(options, {
    document: { items: rows },
    rows,
    columns: COLUMNS,
    name: ({ name }) => `cell/${name}`,
  });
}

export async function add(
  name: string,
  options: RegistryOptions & { readonly url?: string; readonly self?: true },
): Promise<void> {
  const { url, self } = options;
  if (url === undefined && self !== true) throw new CommandFailure(2, "No address is given. Set --url or --self.");
  const cell = { name, ...(url !== undefined && { url }) };
  await change(options, async (registry) => {
    if (url !== undefined) await requireSelf(registry);
    return (cells) => addCell(cells, cell);
  });
  remark(`Questions to this deployment go to cell ${name}, too, within 10 s.`);
}

export async function remove(name: string, options: RegistryOptions): Promise<void> {
  await change(options, async () => (cells) => removeCell(cells, name));
  remark(`Cell ${name} is no longer asked, within 10 s.`);
}

export async function assign(clusterText: string, cell: string, options: RegistryOptions): Promise<void> {
  const cluster = readClusterName(clusterText);
  await change(options, async () => (cells) => assignCluster(cells, { cluster, cell }, Date.now()));
  remark(`Questions about ${cluster} go to cell ${cell}, within 10 s.`);
}

export async function forget(clusterText: string, options: RegistryOptions): Promise<void> {
  const cluster = readClusterName(clusterText);
  await change(options, async () => (cells) => forgetPrevious(cells, cluster));
  remark(`Only the current cell of ${cluster} is asked about it, within 10 s.`);
}

async function change(
  options: RegistryOptions,
  changeIn: (registry: Registry) => Promise<(cells: CellRegistry) => Changed>,
): Promise<void> {
  requireDeployed(options);
  await withRegistry(options, async (registry) => {
    const changed = await changeRegistry(registry.meta, await changeIn(registry));
    if (changed.outcome === "refused") throw new CommandFailure(2, changed.problem);
  });
}

/** A stage with Jobs of its own would stop to answer for them. */
async function requireSelf({ meta }: Registry): Promise<void> {
  const { cells } = await readRegistry(meta);
  if (cells.some(({ url }) => url === undefined)) return;
  const own = await listClusters(meta, "everything");
  if (own.length === 0) return;
  throw new CommandFailure(
    2,
    `This deployment has ${own.length} clusters of its own. First give it a name: outlive cells add NAME --self`,
  );
}

function requireDeployed(options: RegistryOptions): void {
  if (isDeployed(options)) return;
  throw new CommandFailure(2, "Cells are deployments on AWS: name the one that has them with --stack or --meta-table.");
}

function rowsOf({ cells, clusters }: CellRegistry): readonly CellRow[] {
  const assigned = Object.entries(clusters);
  return cells.map(({ name, url }) => ({
    name,
    ...(url !== undefined && { url }),
    clusters: assigned.filter(([, { cell }]) => cell === name).map(([cluster]) => cluster),
    earlier: assigned
      .filter(([, { previous = [] }]) => previous.some(({ cell }) => cell === name))
      .map(([cluster]) => cluster),
  }));
}

const COLUMNS: readonly Column<CellRow>[] = [
  { header: "NAME", cell: ({ name }) => name },
  { header: "CLUSTERS", cell: ({ clusters }) => clusters.length },
  { header: "EARLIER", cell: ({ earlier }) => earlier.length },
  { header: "URL", cell: ({ url }) => url ?? "(this deployment)" },
];
