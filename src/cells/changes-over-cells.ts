import { problem } from "../http/contract/problem.ts";
import { POLL_MILLIS } from "../http/streams/long-poll.ts";
import type { Instant } from "../job/model/instant.ts";
import { formatInstant } from "../job/model/instant.ts";
import type { Cell } from "../ports/records/cell-registry-record.ts";
import { SETTLED_AFTER_MS } from "../segment/late.ts";
import { decodeFollowed, encodeFollowed, type FollowedCells } from "./cells-cursor.ts";
import { type CellReader, fanOut } from "./fan-out.ts";
import { type CellsReply, incomplete } from "./list-over-cells.ts";

export interface CellsChangesQuery {
  readonly path: string;
  /** The parameters of the request without `cursor`. */
  readonly parameters: URLSearchParams;
  readonly limit: number;
  readonly waitSeconds: number;
  readonly since: Instant | undefined;
  readonly cursor: string | undefined;
  readonly clock: () => Instant;
  readonly pause: (milliseconds: number) => Promise<boolean>;
}

interface ChangesPage {
  readonly items: readonly unknown[];
  readonly nextCursor: string;
  readonly more: boolean;
}

/**
 * The changes of all cells, cell by cell. A cell that does not answer keeps its position: its changes come later. The
 * cursor stays valid when cells are added, removed, or get other clusters.
 */
export async function changesOverCells(reader: CellReader, query: CellsChangesQuery): Promise<CellsReply> {
  const { cells } = reader.registry;
  const { clock, cursor, waitSeconds, pause } = query;
  const deadline = clock() + waitSeconds * 1_000;
  const since = query.since ?? clock() - SETTLED_AFTER_MS;
  const start = startOf(cells, cursor, since);
  if (start.outcome === "refused") return { problem: problem("bad-cursor", start.problem) };
  let { positions } = start;
  for (;;) {
    const page = await pageOver(reader, query, positions);
    if ("problem" in page) return page;
    const { found, body } = page;
    const left = deadline - clock();
    if (body.items.length > 0 || body.more || left <= 0) return { body };
    positions = found;
    // Each poll is a request to every cell.
    const interval = POLL_MILLIS * Math.max(1, cells.length);
    if (!(await pause(Math.min(interval, left))) || interval > left) return { body };
  }
}

function startOf(cells: readonly Cell[], cursor: string | undefined, since: Instant) {
  const self = cells.find(({ url }) => url === undefined);
  if (cursor !== undefined) return decodeFollowed(cursor, { self, since });
  return { outcome: "decoded", positions: { since, cursors: new Map<string, string>() } } as const;
}

async function pageOver(reader: CellReader, query: CellsChangesQuery, positions: FollowedCells) {
  const { cells } = reader.registry;
  const limit = Math.max(1, Math.floor(query.limit / cells.length));
  const fanned = await fanOut<ChangesPage>(reader, cells, (cell) => target(query, limit, { cell, positions }));
  if (fanned.outcome === "refused") return fanned;
  const { answers, unavailable } = fanned;
  const known = cells.flatMap(({ name }) => {
    const kept = positions.cursors.get(name);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  const cursors = new Map([...known, ...answers.map(({ cell, body }) => [cell.name, body.nextCursor] as const)]);
  // A cell that is added later begins here. One that has not answered yet keeps its beginning.
  const isComplete = cells.every(({ name }) => cursors.has(name));
  const found = { since: isComplete ? query.clock() - SETTLED_AFTER_MS : positions.since, cursors };
  const body = {
    items: answers.flatMap((answer) => answer.body.items),
    nextCursor: encodeFollowed(found),
    more: answers.some((answer) => answer.body.more),
    ...incomplete(unavailable),
  };
  return { found, body };
}

interface CellTurn {
  readonly cell: Cell;
  readonly positions: FollowedCells;
}

function target({ path, parameters }: CellsChangesQuery, limit: number, { cell, positions }: CellTurn): string {
  const query = new URLSearchParams(parameters);
  const cursor = positions.cursors.get(cell.name);
  query.set("limit", `${limit}`);
  query.set("waitSeconds", "0");
  query.delete("since");
  if (cursor === undefined) query.set("since", formatInstant(positions.since));
  else query.set("cursor", cursor);
  return `${path}?${query.toString()}`;
}
