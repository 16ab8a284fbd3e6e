import { encodeMillis, encodeNumbers, encodeTexts, encodeUids, type JsonColumn } from "./cell.ts";

interface Column<Cell> {
  readonly cells: Cell[];
  readonly encode: () => JsonColumn;
}

/**
 * Stores the values of one field side by side, because they compress better than the values of one fact.
 * The first cell opens a column. The reader opens columns in the same order, so their names are not written.
 */
export class ColumnWriter {
  readonly #order: Column<unknown>[] = [];
  readonly #numbers = new Map<string, Column<number>>();
  readonly #millis = new Map<string, Column<number>>();
  readonly #texts = new Map<string, Column<string>>();
  readonly #words = new Map<string, Map<string, number>>();
  readonly #uids = new Map<string, number>();

  /** A whole number, usually small. */
  number(name: string, number: number): void {
    this.#open(this.#numbers, name, encodeNumbers).push(number);
  }

  /** A duration in milliseconds. */
  millis(name: string, millis: number): void {
    this.#open(this.#millis, name, encodeMillis).push(millis);
  }

  /** A string that seldom repeats. */
  text(name: string, text: string): void {
    this.#open(this.#texts, name, encodeTexts).push(text);
  }

  /** A string that repeats: written once, then referenced by number. */
  word(name: string, word: string): void {
    const words = this.#words.get(name) ?? new Map<string, number>();
    this.#words.set(name, words);
    const known = words.get(word);
    this.number(name, known === undefined ? 0 : words.size - known);
    if (known !== undefined) return;
    words.set(word, words.size);
    this.text(name, word);
  }

  /** A uid in the standard form. A repeated uid is written as its distance from the newest uid. */
  uid(name: string, uid: string): void {
    const known = this.#uids.get(uid);
    this.number(name, known === undefined ? 0 : this.#uids.size - known);
    if (known !== undefined) return;
    this.#uids.set(uid, this.#uids.size);
    this.#open(this.#texts, "", encodeUids).push(uid);
  }

  encode(): readonly JsonColumn[] {
    return this.#order.map((column) => column.encode());
  }

  #open<Cell>(
    columns: Map<string, Column<Cell>>,
    name: string,
    encode: (cells: readonly Cell[]) => JsonColumn,
  ): Cell[] {
    let column = columns.get(name);
    if (column === undefined) {
      const cells: Cell[] = [];
      column = { cells, encode: () => encode(cells) };
      columns.set(name, column);
      this.#order.push(column);
    }
    return column.cells;
  }
}
