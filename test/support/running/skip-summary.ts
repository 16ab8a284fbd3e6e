import { SKIP_MARK } from "./skip-without.ts";

/** A dependency that was missing, and what was therefore not tested. */
export interface Skip {
  readonly dependency: string;
  readonly untested: string;
  readonly reason: string;
}

/** The skips that a process reported on its console. */
export function skipsIn(output: string): readonly Skip[] {
  return output.split("\n").flatMap((line) => {
    if (!line.startsWith(SKIP_MARK)) return [];
    const { dependency, untested, reason } = JSON.parse(line.slice(SKIP_MARK.length)) as Skip;
    return [{ dependency, untested, reason }];
  });
}

/** A table of what was not tested, one row per dependency; empty if nothing was skipped. */
export function skipSummary(skips: readonly Skip[]): readonly string[] {
  if (skips.length === 0) return [];
  const groups = [...Map.groupBy(skips, ({ dependency }) => dependency)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = groups.map(([dependency, group]) => [
    dependency,
    unique(group.map(({ reason }) => reason)).join("; "),
    unique(group.map(({ untested }) => untested)).join("; "),
  ]);
  const table = [["MISSING", "WHY", "NOT TESTED"], ...rows];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
