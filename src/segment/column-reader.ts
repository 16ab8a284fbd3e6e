import { type CellReader, readMillis, readNumbers, readTexts, readUids } from "./cell.ts";
import { Damaged } from "./damaged.ts";

/** The most cells of a list: a column that repeats one number must not exhaust the memory. */
const MAX_CELLS = 4_000_000;

/**
 * Reads the columns of a ColumnWriter, by the same calls in the same order. Throws {@link Damaged} where they
 * differ.
 */
export class ColumnReader {
  readonly #columns: readonly unknown[];
  #opened = 0;
  #read = 0;
  readonly #numbers = new Map<string, CellReader<number>>();
  readonly #millis = new Map<string, CellReader<number>>();
  readonly #texts = new Map<string, CellReader<string>>();
  readonly #words = new Map<string, string[]>();
  readonly #uids: string[] = [];

  constructor(columns: readonly unknown[]) {
    this.#columns = columns;
  }

  number(name: string): number {
    return this.#next(this.#numbers, name, readNumbers);
  }

  millis(name: string): number {
    return this.#next(this.#millis, name, readMillis);
  }

  text(name: string): string {
    return this.#next(this.#texts, name, readTexts);
  }

  word(name: string): string {
    const words = this.#words.get(name) ?? [];
    this.#words.set(name, words);
    return this.#known(name, words) ?? remember(words, this.text(name));
  }

  uid(name: string): string {
    return this.#known(name, this.#uids) ?? remember(this.#uids, this.#next(this.#texts, "", readUids));
  }

  /** Throws {@link Damaged} where a cell was not read. */
  end(): void {
    const readers = [...this.#numbers.values(), ...this.#millis.values(), ...this.#texts.values()];
    if (this.#opened !== this.#columns.length || !readers.every((reader) => reader.isAtEnd())) {
      throw new Damaged("The columns contain more cells than the script uses.");
    }
  }

  #known(name: string, before: readonly string[]): string | undefined {
    const ago = this.number(name);
    if (ago === 0) return undefined;
    const value = before[before.length - ago];
    if (value === undefined) throw new Damaged(`Column ${name} refers to a value that was not written before.`);
    return value;
  }

  #next<Cell>(readers: Map<string, CellReader<Cell>>, name: string, open: (column: unknown) => CellReader<Cell>): Cell {
    this.#read += 1;
    if (this.#read > MAX_CELLS) throw new Damaged(`The columns have more than ${MAX_CELLS} cells.`);
    let reader = readers.get(name);
    if (reader === undefined) {
      reader = open(this.#columns[this.#opened++]);
      readers.set(name, reader);
    }
    return reader.next();
  }
}

function remember(values: string[], value: string): string {
  values.push(value);
  return value;
}
