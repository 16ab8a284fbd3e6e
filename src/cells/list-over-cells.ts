import { type Problem, problem } from "../http/contract/problem.ts";
import type { Cell } from "../ports/records/cell-registry-record.ts";
import { type CellPosition, type CellPositions, decodePositions, encodePositions } from "./cells-cursor.ts";
import { type CellReader, fanOut, type UnavailableCell, unavailableCell } from "./fan-out.ts";
import { type CellPage, type ClusterItem, type MergeOrder, mergePages } from "./merge-pages.ts";

/** What an answer over cells lacks. Absent where every cell answered. */
export interface Incomplete {
  readonly unavailable?: readonly UnavailableCell[];
}

export type CellsReply =
  | { readonly body: Incomplete & Readonly<Record<string, unknown>> }
  | { readonly problem: Problem };

export interface CellsListQuery<Item> extends MergeOrder<Item> {
  readonly path: string;
  /** The parameters of the request without `cursor`. */
  readonly parameters: URLSearchParams;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** One page of a list over all cells, in the order of the list. */
export async function listOverCells<Item extends ClusterItem>(
  reader: CellReader,
  { path, parameters, limit, cursor, ...order }: CellsListQuery<Item>,
): Promise<CellsReply> {
  const { registry } = reader;
  const start = decodePositions(registry.cells, cursor);
  if (start.outcome === "refused") return { problem: problem("bad-cursor", start.problem) };
  const open = registry.cells.filter(({ name }) => !isOver(start.positions.get(name)));
  const targetOf = (cell: Cell): string =>
    target(path, parameters, { limit, position: start.positions.get(cell.name) });
  const found = await fanOut<CellPage<Item>>(reader, open, targetOf);
  if (found.outcome === "refused") return found;
  const merged = mergePages(found.answers, { ...order, registry, limit });
  const left = registry.cells.filter(({ name }) => start.positions.get(name)?.at === "leftOut");
  const unavailable = [...found.unavailable, ...left.map((cell) => unavailableCell(reader, cell, EARLIER))];
  const after = new Map([
    ...start.positions,
    ...found.unavailable.map(({ cell }) => [cell, LEFT_OUT] as const),
    ...found.withoutGrants.map(({ name }) => [name, END] as const),
    ...merged.positions,
  ]);
  const hasMore = registry.cells.some(({ name }) => !isOver(after.get(name)));
  return {
    body: {
      items: merged.items,
      ...(hasMore && { nextCursor: encodePositions(registry.cells, after) }),
      ...incomplete(unavailable),
    },
  };
}

export function incomplete(unavailable: readonly UnavailableCell[]): Incomplete {
  return unavailable.length === 0 ? {} : { unavailable };
}

const EARLIER = "It was not available for an earlier page. Begin the list again to include it.";
const LEFT_OUT: CellPosition = { at: "leftOut" };
const END: CellPosition = { at: "end" };

function isOver(position: ReturnType<CellPositions["get"]>): boolean {
  return position?.at === "end" || position?.at === "leftOut";
}

interface CellPageQuery {
  readonly limit: number;
  readonly position: CellPosition | undefined;
}

function target(path: string, parameters: URLSearchParams, { limit, position }: CellPageQuery): string {
  const query = new URLSearchParams(parameters);
  query.set("limit", `${limit}`);
  query.set("itemCursors", "true");
  if (position?.at === "cursor") query.set("cursor", position.cursor);
  return `${path}?${query.toString()}`;
}
