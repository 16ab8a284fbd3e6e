import { isList, isRecord } from "./check.ts";
import { Damaged } from "./damaged.ts";

/** The JSON form of a column. */
export type JsonColumn = number | string | readonly (number | string)[] | { readonly ms: JsonColumn };

/** Reads a column from its front. */
export interface CellReader<Cell> {
  /** Throws {@link Damaged} at the end of the column. */
  next(): Cell;
  /** Whether all cells were read. A column of one repeated number has no end, so it is always at its end. */
  isAtEnd(): boolean;
}

/**
 * Encodes whole numbers: as one number where all cells are equal, as a string with one character per cell,
 * or as an array where a number is too large for a character. Characters compress better than digits and commas.
 */
export function encodeNumbers(cells: readonly number[]): JsonColumn {
  const first = cells[0];
  if (first !== undefined && cells.every((cell) => cell === first)) return first;
  return cells.every((cell) => Math.abs(cell) < CHARACTERS / 2)
    ? cells.map((cell) => toCharacter(zigzag(cell))).join("")
    : cells;
}

/** The inverse of {@link encodeNumbers}. Throws {@link Damaged} where `column` has another form. */
export function readNumbers(column: unknown): CellReader<number> {
  if (typeof column === "number") return constant(whole(column));
  if (typeof column === "string") {
    let position = 0;
    return {
      isAtEnd: () => position === column.length,
      next: () => {
        if (position === column.length) throw new Damaged("A column of numbers ends too early.");
        return unzigzag(fromCharacter(column.charCodeAt(position++)));
      },
    };
  }
  return readArray(column, whole);
}

/** Encodes durations: in seconds where all of them are whole seconds, as most instants of Kubernetes are. */
export function encodeMillis(cells: readonly number[]): JsonColumn {
  return cells.every((cell) => cell % 1000 === 0)
    ? encodeNumbers(cells.map((cell) => cell / 1000))
    : { ms: encodeNumbers(cells) };
}

export function readMillis(column: unknown): CellReader<number> {
  if (isRecord(column) && "ms" in column) return readNumbers(column["ms"]);
  const seconds = readNumbers(column);
  return { next: () => seconds.next() * 1000, isAtEnd: () => seconds.isAtEnd() };
}

/** Maps 0, -1, 1, -2 ... to 0, 1, 2, 3 ... */
function zigzag(number: number): number {
  return number >= 0 ? number * 2 : -number * 2 - 1;
}

function unzigzag(cell: number): number {
  return cell % 2 === 0 ? cell / 2 : -(cell + 1) / 2;
}

/** Encodes strings: as one string that starts with its separator, or as an array where no separator fits. */
export function encodeTexts(cells: readonly string[]): JsonColumn {
  const separator = SEPARATORS.find((candidate) => cells.every((cell) => !cell.includes(candidate)));
  return separator === undefined ? cells : separator + cells.join(separator);
}

export function readTexts(column: unknown): CellReader<string> {
  if (typeof column === "string" && column.length > 0) return readArray(column.slice(1).split(column.charAt(0)), text);
  return readArray(column, text);
}

/** Encodes uids in the standard form: the bytes of all of them in base64url. */
export function encodeUids(uids: readonly string[]): JsonColumn {
  return Buffer.from(uids.join("").replaceAll("-", ""), "hex").toString("base64url");
}

export function readUids(column: unknown): CellReader<string> {
  if (typeof column !== "string") throw new Damaged("The column of uids is not a string.");
  const bytes = Buffer.from(column, "base64url");
  if (bytes.length % UID_BYTES !== 0 || bytes.toString("base64url") !== column) {
    throw new Damaged("The column of uids is truncated.");
  }
  let position = 0;
  return {
    isAtEnd: () => position === bytes.length,
    next: () => {
      if (position === bytes.length) throw new Damaged("The column of uids ends too early.");
      const hex = bytes.toString("hex", position, (position += UID_BYTES));
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
    },
  };
}

const UID_BYTES = 16;

const SEPARATORS = [" ", "|", "~", "\n"];

/** The count of numbers that one character can express. */
const CHARACTERS = 50_000;

/** 0 is `#`. The backslash and the control characters of JSON and UTF-8 are skipped. */
export function toCharacter(number: number): string {
  const skipped = number + 0x23 >= 0x5c ? number + 0x24 : number + 0x23;
  return String.fromCharCode(skipped >= 0x7f ? skipped + 0x22 : skipped);
}

export function fromCharacter(code: number): number {
  const unskipped = code >= 0xa1 ? code - 0x22 : code;
  const number = unskipped - (unskipped >= 0x5d ? 0x24 : 0x23);
  if (number < 0 || number >= CHARACTERS || code === 0x5c || (code >= 0x7f && code < 0xa1)) {
    throw new Damaged("A column of numbers contains an invalid character.");
  }
  return number;
}

function constant(cell: number): CellReader<number> {
  return { next: () => cell, isAtEnd: () => true };
}

function readArray<Cell>(column: unknown, check: (cell: unknown) => Cell): CellReader<Cell> {
  if (!isList(column)) throw new Damaged("A column is neither a string nor an array.");
  const cells = column;
  let position = 0;
  return {
    isAtEnd: () => position === cells.length,
    next: () => {
      if (position === cells.length) throw new Damaged("A column ends too early.");
      return check(cells[position++]);
    },
  };
}

function whole(cell: unknown): number {
  if (typeof cell !== "number" || !Number.isSafeInteger(cell)) throw new Damaged("A cell is not a whole number.");
  return cell;
}

function text(cell: unknown): string {
  if (typeof cell !== "string") throw new Damaged("A cell is not a string.");
  return cell;
}
