import { compareText } from "../job/model/compare-text.ts";
import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import {
  type Cell,
  CELL_REGISTRY_KEY,
  type CellOfCluster,
  type CellRegistryRecord,
  cellRegistryRecord,
} from "../ports/records/cell-registry-record.ts";
import { readRecord, writeRecord } from "../ports/records/record-codec.ts";

export type CellRegistry = CellRegistryRecord;

/** The most cells of one registry: a wide question asks all of them, and a cursor has a position in each. */
export const MAX_CELLS = 8;

const EMPTY: CellRegistry = { cells: [], clusters: {} };
/** valibot leaves out these keys when it reads the record of the registry. */
const RESERVED: ReadonlySet<string> = new Set(["constructor", "prototype"]);
const CELL_NAME = /^[a-z][a-z0-9-]{0,15}$/;

/** The registry; without cells if there is none. */
export async function readRegistry(meta: MetaStore): Promise<CellRegistry> {
  return (await readRecord(meta, cellRegistryRecord, CELL_REGISTRY_KEY))?.value ?? EMPTY;
}

export type Changed =
  | { readonly outcome: "changed"; readonly registry: CellRegistry }
  | { readonly outcome: "refused"; readonly problem: string };

/** Replaces the registry by `change` of it. A concurrent change is refused. */
export async function changeRegistry(meta: MetaStore, change: (registry: CellRegistry) => Changed): Promise<Changed> {
  const stored = await readRecord(meta, cellRegistryRecord, CELL_REGISTRY_KEY);
  const changed = change(stored?.value ?? EMPTY);
  if (changed.outcome === "refused") return changed;
  const write = { key: CELL_REGISTRY_KEY, value: changed.registry, expected: stored?.version ?? 0 };
  const { outcome } = await writeRecord(meta, cellRegistryRecord, write);
  return outcome === "written" ? changed : refused("Another process changed the cells at the same time. Try again.");
}

/** Adds a cell, or changes the address of one. */
export function addCell(registry: CellRegistry, cell: Cell): Changed {
  const others = registry.cells.filter(({ name }) => name !== cell.name);
  const self = others.find(({ url }) => url === undefined);
  if (!CELL_NAME.test(cell.name)) {
    return refused(`"${cell.name}" is not the name of a cell. Use 1 to 16 of a-z, 0-9 and -, a letter first.`);
  }
  if (cell.url !== undefined && !isCellUrl(cell.url)) {
    return refused(
      `"${cell.url}" is not the address of a cell's API. Use the output ApiUrl of its stack: https://..., ` +
        "without user name and query. Only 127.0.0.1, [::1] and localhost may have http://.",
    );
  }
  if (cell.url === undefined && self !== undefined) return refused(`This stage is already cell "${self.name}".`);
  if (others.length >= MAX_CELLS) return refused(`A registry has at most ${MAX_CELLS} cells. Remove one first.`);
  const cells = [...others, cell].sort((a, b) => compareText(a.name, b.name));
  return { outcome: "changed", registry: { ...registry, cells } };
}

/** Removes a cell that has no cluster. */
export function removeCell(registry: CellRegistry, name: string): Changed {
  if (findCell(registry, name) === undefined) return refused(unknownCell(registry, name));
  const used = Object.keys(registry.clusters).filter((cluster) => isIn(registry.clusters[cluster], name));
  if (used.length > 0) {
    const some = used.slice(0, 3).join(", ");
    return refused(`Cell "${name}" has Jobs of ${used.length} clusters: ${some}. Forget them or assign them first.`);
  }
  return { outcome: "changed", registry: { ...registry, cells: registry.cells.filter((cell) => cell.name !== name) } };
}

/**
 * Says that a cluster sends to a cell from now on. The cell before keeps the earlier Jobs, and is asked for them.
 */
export function assignCluster(
  registry: CellRegistry,
  { cluster, cell }: { readonly cluster: ClusterName; readonly cell: string },
  now: Instant,
): Changed {
  if (findCell(registry, cell) === undefined) return refused(unknownCell(registry, cell));
  if (RESERVED.has(cluster)) return refused(`Cluster "${cluster}" cannot be assigned: the name is reserved.`);
  const known = assignmentOf(registry, cluster);
  if (known?.cell === cell) return { outcome: "changed", registry };
  const before = known === undefined ? [] : [{ cell: known.cell, until: now }, ...(known.previous ?? [])];
  const previous = before.filter((one, index) => one.cell !== cell && isFirst(before, one.cell, index));
  const assigned: CellOfCluster = { cell, ...(previous.length > 0 && { previous }) };
  return { outcome: "changed", registry: { ...registry, clusters: { ...registry.clusters, [cluster]: assigned } } };
}

/** Forgets the cells that had a cluster before, after their Jobs have expired. */
export function forgetPrevious(registry: CellRegistry, cluster: ClusterName): Changed {
  const known = assignmentOf(registry, cluster);
  if (known === undefined) return refused(`Cluster "${cluster}" is assigned to no cell.`);
  const clusters = { ...registry.clusters, [cluster]: { cell: known.cell } };
  return { outcome: "changed", registry: { ...registry, clusters } };
}

/** The cells that have Jobs of a cluster, the current one first; all cells for a cluster that is not assigned. */
export function cellsOf(registry: CellRegistry, cluster: string): readonly Cell[] {
  const known = assignmentOf(registry, cluster);
  if (known === undefined) return registry.cells;
  const names = [known.cell, ...(known.previous ?? []).map(({ cell }) => cell)];
  return names.flatMap((name) => findCell(registry, name) ?? []);
}

/** Whether the cell is the one to which the cluster sends now, as far as the registry knows. */
export function isCurrent(registry: CellRegistry, cluster: string, { name }: Cell): boolean {
  const known = assignmentOf(registry, cluster);
  return known === undefined || known.cell === name;
}

/** A question may name the cluster "constructor". */
function assignmentOf({ clusters }: CellRegistry, cluster: string): CellOfCluster | undefined {
  return Object.hasOwn(clusters, cluster) ? clusters[cluster] : undefined;
}

/** Whether the cell has, or had, this cluster. */
export function isIn(assigned: CellOfCluster | undefined, name: string): boolean {
  return assigned?.cell === name || (assigned?.previous ?? []).some(({ cell }) => cell === name);
}

function isFirst(cells: readonly { readonly cell: string }[], name: string, index: number): boolean {
  return cells.findIndex(({ cell }) => cell === name) === index;
}

function findCell({ cells }: CellRegistry, name: string): Cell | undefined {
  return cells.find((cell) => cell.name === name);
}

function unknownCell({ cells }: CellRegistry, name: string): string {
  const known = cells.length === 0 ? "There are none" : `Cells: ${cells.map((cell) => cell.name).join(", ")}`;
  return `No cell is named "${name}". ${known}. Add it with "outlive cells add".`;
}

function isCellUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || [url.username, url.password, url.search, url.hash].some((part) => part !== "")) return false;
  const isLoopback = ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback);
}

function refused(problem: string): Changed {
  return { outcome: "refused", problem };
}
