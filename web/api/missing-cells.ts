import { computed, signal } from "@preact/signals";

/** By path: the cells that the last answer lacked. */
const missing = signal<ReadonlyMap<string, readonly string[]>>(new Map());

/** The cells whose Jobs are missing from what the page shows (docs/cells.md). */
export const missingCells = computed(() => [...new Set([...missing.value.values()].flat())].sort());

export function noteMissingCells(path: string, headers: Headers): void {
  const cells = headers.get("outlive-unavailable-cells")?.split(", ") ?? [];
  if (cells.length === 0 && !missing.value.has(path)) return;
  const others = [...missing.value].filter(([one]) => one !== path);
  missing.value = new Map(cells.length === 0 ? others : [...others, [path, cells]]);
}
