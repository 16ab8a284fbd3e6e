/** A filter that the address has. */
export interface ActiveFilter {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

/** The value of a parameter that opens a part of a view. */
export const SHOWN = "shown";

/** Parameters that choose no rows, as those with the value {@link SHOWN}. */
const PRESENTATION: ReadonlySet<string> = new Set(["columns", "sort", "view"]);

/** Without parameters that choose no rows: an answer stays the same while they change. */
export function rowFilters(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const choosing = Object.entries(parameters).filter(([name, value]) => !PRESENTATION.has(name) && value !== SHOWN);
  return Object.fromEntries(choosing);
}

/**
 * The filters of the address: those that the bar has a field for, by their labels, and those that only a link has set.
 */
export function activeFilters(
  parameters: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): { readonly inBar: readonly ActiveFilter[]; readonly others: readonly ActiveFilter[] } {
  const active = Object.entries(rowFilters(parameters)).flatMap(([name, value]) =>
    value === "" ? [] : [{ name, label: labels[name] ?? name, value }],
  );
  const hasField = ({ name }: ActiveFilter): boolean => Object.hasOwn(labels, name);
  return { inBar: active.filter(hasField), others: active.filter((filter) => !hasField(filter)) };
}
