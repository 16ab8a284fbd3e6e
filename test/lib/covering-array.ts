interface Choice<Value> {
  readonly id: number;
  readonly dimension: number;
  readonly value: Value;
}

type Pair<Value> = readonly [Choice<Value>, Choice<Value>];

export interface CoveringArray<Value> {
  /** Rows that together have every possible pair of values of two dimensions. Equal input gives equal rows. */
  readonly rows: readonly (readonly Value[])[];
  /** Pairs that no row can have. */
  readonly impossible: readonly (readonly [Value, Value])[];
}

/**
 * Combines the values of all dimensions pairwise: each row begins with the first pair that no row has yet, and takes
 * of each other dimension the value with the most such pairs. `isPossible` judges some values of one row.
 */
export function coveringArray<Value>(
  dimensions: readonly (readonly Value[])[],
  isPossible: (values: readonly Value[]) => boolean,
): CoveringArray<Value> {
  const choices = choicesOf(dimensions);
  const canJoin = (row: readonly Choice<Value>[]) => isPossible(row.map(({ value }) => value));
  const pairs = choices.flatMap((one) => pairsWith(choices.slice(0, one.id), one));
  const missing = new Map(pairs.filter(canJoin).map((pair) => [keyOf(pair), pair]));
  const rows: (readonly Value[])[] = [];
  for (const first of missing.values()) {
    let row: readonly Choice<Value>[] = first;
    for (const [dimension] of dimensions.entries()) {
      if (row.some((chosen) => chosen.dimension === dimension)) continue;
      const candidates = choices.filter((choice) => choice.dimension === dimension && canJoin([...row, choice]));
      row = [...row, bestOf(candidates, (choice) => pairsWith(row, choice).filter((pair) => missing.has(keyOf(pair))))];
    }
    for (const choice of row) for (const pair of pairsWith(row, choice)) missing.delete(keyOf(pair));
    rows.push(row.toSorted((one, other) => one.id - other.id).map(({ value }) => value));
  }
  const impossible = pairs.filter((pair) => !canJoin(pair));
  return { rows, impossible: impossible.map(([one, other]) => [one.value, other.value]) };
}

function choicesOf<Value>(dimensions: readonly (readonly Value[])[]): readonly Choice<Value>[] {
  const choices = dimensions.flatMap((values, dimension) => values.map((value) => ({ dimension, value })));
  return choices.map((choice, id) => ({ ...choice, id }));
}

function pairsWith<Value>(row: readonly Choice<Value>[], choice: Choice<Value>): readonly Pair<Value>[] {
  return row.filter(({ dimension }) => dimension !== choice.dimension).map((other) => [other, choice]);
}

function keyOf<Value>([one, other]: Pair<Value>): string {
  return `${Math.min(one.id, other.id)} ${Math.max(one.id, other.id)}`;
}

function bestOf<Value>(
  candidates: readonly Choice<Value>[],
  gainOf: (choice: Choice<Value>) => readonly unknown[],
): Choice<Value> {
  const ranked = candidates
    .map((choice) => ({ choice, gain: gainOf(choice).length }))
    .toSorted((one, other) => other.gain - one.gain);
  const [best] = ranked;
  if (best === undefined) throw new RangeError("No value of a dimension can join this row.");
  return best.choice;
}
