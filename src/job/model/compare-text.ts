/** Compares by UTF-16 code units, as the stores compare keys. Negative if `a` comes first. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
