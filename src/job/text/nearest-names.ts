/** How many names to offer. */
const OFFERED = 3;
/** The longest name of a Kubernetes object. No name is near to a longer one. */
const MAX_NAME_LENGTH = 253;
/** A name with more differences is another name, not a typing error. Also bounds the work for each candidate. */
const MAX_DISTANCE = 10;

/** The names that are most similar to `name`, nearest first; empty if none is similar. */
export function nearestNames(name: string, names: Iterable<string>): readonly string[] {
  if (name.length > MAX_NAME_LENGTH) return [];
  const limit = Math.min(MAX_DISTANCE, Math.max(2, Math.floor(name.length / 3)));
  return [...new Set(names)]
    .map((candidate) => ({ candidate, distance: distanceOf(name, candidate, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, OFFERED)
    .map(({ candidate }) => candidate);
}

/** If one name starts with the other, the distance is 1: users often omit generated suffixes. */
function distanceOf(name: string, candidate: string, limit: number): number {
  if (candidate.startsWith(name) || name.startsWith(candidate)) return 1;
  return Math.abs(name.length - candidate.length) > limit ? limit + 1 : editDistance(name, candidate, limit);
}

/** The Levenshtein distance, at most `limit + 1`. Only cells near the diagonal are computed. */
function editDistance(a: string, b: string, limit: number): number {
  const far = limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, column) => Math.min(column, far));
  for (let line = 1; line <= a.length; line += 1) {
    const next = Array.from({ length: b.length + 1 }, () => far);
    next[0] = Math.min(line, far);
    let least = next[0];
    for (let column = Math.max(1, line - limit); column <= Math.min(b.length, line + limit); column += 1) {
      const replaced = (row[column - 1] ?? far) + (a[line - 1] === b[column - 1] ? 0 : 1);
      next[column] = Math.min(replaced, (row[column] ?? far) + 1, (next[column - 1] ?? far) + 1, far);
      least = Math.min(least, next[column] ?? far);
    }
    if (least === far) return far;
    row = next;
  }
  return row.at(-1) ?? far;
}
