import type { Column } from "./column.ts";

/** A value of a downloaded row. Instants are RFC 3339 in UTC, spans are seconds. */
export type Value = string | number | readonly string[] | undefined;

/** A column of a list whose columns can be chosen. */
export interface ListColumn<Row> extends Column<Row> {
  /** Its name in the address. */
  readonly id: string;
  /** The width that it needs, in rem. */
  readonly rem: number;
  /** `chosen`: only if the reader chooses it. */
  readonly shown: "always" | "standard" | "chosen";
  /** What a download has of it, by name. They are exact where the cell is rounded or relative to now. */
  readonly fields: Readonly<Record<string, (row: Row) => Value>>;
  /** What it costs to read, for the menu. */
  readonly cost?: string;
}
