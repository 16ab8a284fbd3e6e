import { createHash } from "node:crypto";
import type { Instant } from "../job/model/instant.ts";
import type { Cell } from "../ports/records/cell-registry-record.ts";
import { MAX_CELLS } from "./cell-registry.ts";

/** How far a list was read in one cell. */
export type CellPosition =
  | { readonly at: "start" }
  /** A cursor of the cell. */
  | { readonly at: "cursor"; readonly cursor: string }
  | { readonly at: "end" }
  /** The cell did not answer for an earlier page. Its items would come out of order now. */
  | { readonly at: "leftOut" };

/** By the name of the cell. */
export type CellPositions = ReadonlyMap<string, CellPosition>;

export type DecodedPositions<Positions> =
  | { readonly outcome: "decoded"; readonly positions: Positions }
  | { readonly outcome: "refused"; readonly problem: string };

/** A cell's cursor has at most 1,024 characters, those of `/v1/changes` included. */
const MAX_CELL_CURSOR = 1_024;
const MAX_HEAD = 512;
/** The longest cursor over cells: 8.5 KB, whatever the number of clusters. */
export const MAX_CELLS_CURSOR = MAX_CELLS * (MAX_CELL_CURSOR + 1) + MAX_HEAD;

/** A cursor of a list over these cells: a mark of the cells, then the position in each. */
export function encodePositions(cells: readonly Cell[], positions: CellPositions): string {
  return [`${LIST}${markOf(cells)}`, ...cells.map(({ name }) => wordOf(positions.get(name) ?? START))].join(".");
}

export function decodePositions(cells: readonly Cell[], cursor: string | undefined): DecodedPositions<CellPositions> {
  if (cursor === undefined) return { outcome: "decoded", positions: new Map() };
  const [head = "", ...words] = cursor.split(".");
  if (cursor.length > MAX_CELLS_CURSOR || !/^L[A-Za-z0-9_-]{16}$/.test(head)) return refuse(NOT_A_CURSOR);
  if (head !== `${LIST}${markOf(cells)}` || words.length !== cells.length) return refuse(OTHER_CELLS);
  const positions = words.map(positionOf);
  if (positions.includes(undefined)) return refuse(NOT_A_CURSOR);
  return {
    outcome: "decoded",
    positions: new Map(cells.flatMap(({ name }, index) => pairOf(name, positions[index]))),
  };
}

/** How far a reader has followed the changes of every cell. */
export interface FollowedCells {
  /** Where a cell begins that has no cursor: one that was added since, or that never answered. */
  readonly since: Instant;
  readonly cursors: ReadonlyMap<string, string>;
}

/** Keeps the cells' names, so that the cursor stays valid when cells are added or removed. */
export function encodeFollowed({ since, cursors }: FollowedCells): string {
  const names = [...cursors.keys()];
  const head = Buffer.from(JSON.stringify([since, ...names])).toString("base64url");
  return [`${CHANGES}${head}`, ...cursors.values()].join(".");
}

/**
 * Decodes a cursor of changes over cells. A cursor that the stage gave before it had cells is the position in its own
 * cell, `self`; the others begin at `since`.
 */
export function decodeFollowed(
  cursor: string,
  { self, since }: { readonly self: Cell | undefined; readonly since: Instant },
): DecodedPositions<FollowedCells> {
  const [head = "", ...words] = cursor.split(".");
  if (cursor.length > MAX_CELLS_CURSOR) return refuse(NOT_A_CURSOR);
  if (words.length === 0 && !head.startsWith(CHANGES) && self !== undefined) {
    return { outcome: "decoded", positions: { since, cursors: new Map([[self.name, head]]) } };
  }
  const read = head.startsWith(CHANGES) ? readHead(head.slice(CHANGES.length)) : undefined;
  if (read === undefined || read.names.length !== words.length || words.some((word) => !CURSOR.test(word))) {
    return refuse(NOT_A_CURSOR);
  }
  const cursors = new Map(read.names.map((name, index) => [name, words[index] ?? ""]));
  return { outcome: "decoded", positions: { since: read.since, cursors } };
}

const LIST = "L";
/** No cursor of a cell begins with it: these are base64url of a JSON array, and begin with `W`. */
const CHANGES = "C";
const START: CellPosition = { at: "start" };
const CURSOR = /^[A-Za-z0-9_-]{1,1024}$/;
const NOT_A_CURSOR =
  "Invalid cursor. Pass `nextCursor` of the previous page unchanged, or omit the cursor to begin again.";
const OTHER_CELLS =
  "The cells of this deployment have changed since the previous page. Omit the cursor to begin the list again.";

function refuse(problem: string): { readonly outcome: "refused"; readonly problem: string } {
  return { outcome: "refused", problem };
}

function wordOf(position: CellPosition): string {
  switch (position.at) {
    case "start":
      return "";
    case "cursor":
      return position.cursor;
    case "end":
      return "~";
    case "leftOut":
      return "!";
  }
}

function positionOf(word: string): CellPosition | undefined {
  if (word === "") return START;
  if (word === "~") return { at: "end" };
  if (word === "!") return { at: "leftOut" };
  return CURSOR.test(word) ? { at: "cursor", cursor: word } : undefined;
}

function pairOf(name: string, position: CellPosition | undefined): readonly (readonly [string, CellPosition])[] {
  return position === undefined ? [] : [[name, position]];
}

function markOf(cells: readonly Cell[]): string {
  return createHash("sha256")
    .update(JSON.stringify(cells.map(({ name }) => name)))
    .digest("base64url")
    .slice(0, 16);
}

function readHead(text: string): { readonly since: Instant; readonly names: readonly string[] } | undefined {
  try {
    const fields: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (!Array.isArray(fields)) return undefined;
    const [since, ...names] = fields as readonly unknown[];
    const texts = names.filter((name) => typeof name === "string");
    const isValid = typeof since === "number" && Number.isSafeInteger(since) && texts.length === names.length;
    return isValid ? { since, names: texts } : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
