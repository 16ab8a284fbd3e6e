/** By UTF-16 code units, whatever the language: as the stores compare keys. Negative when `a` comes first. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
