/** How many names to offer: more is a list, not a hint. */
const OFFERED = 3;

/** Those of `names` that `name` was most likely meant to be, nearest first; empty where none is near. */
export function nearestNames(name: string, names: Iterable<string>): readonly string[] {
  const limit = Math.max(2, Math.floor(name.length / 3));
  return [...new Set(names)]
    .map((candidate) => ({ candidate, distance: distanceOf(name, candidate) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, OFFERED)
    .map(({ candidate }) => candidate);
}

/** A name that begins with the other is one step away, whatever the rest: generated suffixes are what people leave out. */
function distanceOf(name: string, candidate: string): number {
  return candidate.startsWith(name) || name.startsWith(candidate) ? 1 : editDistance(name, candidate);
}

/** Levenshtein's distance: insertions, deletions and replacements that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let line = 1; line <= a.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
