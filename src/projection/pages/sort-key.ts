/** The order of items in a tree: by time, then by id. */
export interface SortKey {
  readonly at: number;
  readonly id: string;
}

export function compareSortKeys(a: SortKey, b: SortKey): number {
  return a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
