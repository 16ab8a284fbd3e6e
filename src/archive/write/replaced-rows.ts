import { idHash } from "../../projection/pages/page-split.ts";
import type { TableRow } from "../parquet/column.ts";
import { type PartSource, readRows } from "../parquet/read-part.ts";

/** Parts whose rows are numbered in their order, and the columns that identify a row. */
export interface NumberedParts {
  readonly parts: readonly (PartSource & { readonly rows: number })[];
  readonly identity: readonly string[];
}

/** Identities in memory, some hundred bytes each. */
const MOST = 200_000;

/**
 * The numbers of the rows that a row with the same identity and a higher `revision` replaces. Memory is limited to one
 * bit per row and the identities of one share. The columns of the identity are read once per share.
 */
export async function replacedRows(of: NumberedParts, most = MOST): Promise<NumberSet> {
  const total = of.parts.reduce((sum, { rows }) => sum + rows, 0);
  const replaced = new NumberSet(total);
  if (of.identity.length === 0) return replaced;
  const shares = Math.max(1, Math.ceil(total / most));
  for (let share = 0; share < shares; share += 1) {
    const newest = new NewestRows(replaced);
    for await (const { id, ...row } of numberedRows(of)) if (idHash(id) % shares === share) newest.add(id, row);
  }
  return replaced;
}

interface NumberedRow {
  readonly number: number;
  readonly revision: number;
}

async function* numberedRows({
  parts,
  identity,
}: NumberedParts): AsyncGenerator<NumberedRow & { readonly id: string }> {
  let number = 0;
  for (const part of parts) {
    for await (const rows of readRows(part, [...identity, "revision"])) {
      for (const row of rows) {
        yield { id: identityOf(row, identity), number, revision: Number(row["revision"]) };
        number += 1;
      }
    }
  }
}

function identityOf(row: TableRow, identity: readonly string[]): string {
  return identity.map((name) => String(row[name])).join(" ");
}

/** The rows with the highest revision so far. Several rows with the same identity and revision are all kept. */
class NewestRows {
  readonly #newest = new Map<string, { readonly revision: number; readonly numbers: number[] }>();
  readonly #replaced: NumberSet;

  constructor(replaced: NumberSet) {
    this.#replaced = replaced;
  }

  add(id: string, { number, revision }: NumberedRow): void {
    const known = this.#newest.get(id);
    if (known !== undefined && known.revision > revision) return this.#replaced.add(number);
    if (known?.revision === revision) {
      known.numbers.push(number);
      return;
    }
    known?.numbers.forEach((earlier) => this.#replaced.add(earlier));
    this.#newest.set(id, { revision, numbers: [number] });
  }
}

/** A set of whole numbers below a limit, one bit each. */
export class NumberSet {
  readonly #bits: Uint8Array;

  constructor(limit: number) {
    this.#bits = new Uint8Array(Math.ceil(limit / 8));
  }

  add(number: number): void {
    const at = number >>> 3;
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (number & 7));
  }

  has(number: number): boolean {
    return ((this.#bits[number >>> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }
}
