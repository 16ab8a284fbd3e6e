/** A lasting change of a level: from `before` to `after` since the value at `index`. */
export interface Step {
  readonly index: number;
  readonly before: number;
  readonly after: number;
}

/** How many values each side of a step needs. */
const LEAST = 3;
/** By how much the levels must differ. */
const RATIO = { count: 2, level: 1.5 };
/** How far apart two rates of random events must be, in standard deviations of their difference. */
const DEVIATIONS = 4;
/** The share of pairs of an earlier and a later value that must be in the order of the step. */
const ORDERED = { count: 0.9, level: 1 };

interface Known {
  readonly value: number;
  readonly index: number;
}
type Kind = "count" | "level";
type Found = Step & { readonly clarity: number };

/**
 * The clearest step in some values; `undefined` if there is none. `count`: numbers of events, which vary by chance.
 * `level`: measures such as a median. Values that are not known do not count.
 */
export function stepIn(values: readonly (number | undefined)[], kind: Kind): Step | undefined {
  const known = values.flatMap((value, index) => (value === undefined ? [] : [{ value, index }]));
  const splits = Array.from({ length: Math.max(0, known.length - 2 * LEAST + 1) }, (_, n) => n + LEAST);
  const [best] = splits.flatMap((split) => stepAt(known, split, kind) ?? []).sort((a, b) => b.clarity - a.clarity);
  return best && { index: best.index, before: best.before, after: best.after };
}

function stepAt(known: readonly Known[], split: number, kind: Kind): Found | undefined {
  const early = known.slice(0, split).map(({ value }) => value);
  const late = known.slice(split).map(({ value }) => value);
  const clarity = clarityOf(early, late, kind);
  const index = known[split]?.index;
  if (clarity === undefined || index === undefined) return undefined;
  return { index, before: levelOf(early, kind), after: levelOf(late, kind), clarity };
}

/** How clear a split is; `undefined` if it is no step. */
function clarityOf(early: readonly number[], late: readonly number[], kind: Kind): number | undefined {
  const [before, after] = [levelOf(early, kind), levelOf(late, kind)];
  const [low, high] = [Math.min(before, after), Math.max(before, after)];
  if (high < low * RATIO[kind] || high === low) return undefined;
  if (orderedShare(early, late, after > before) < ORDERED[kind]) return undefined;
  const deviation =
    kind === "count"
      ? Math.sqrt(before / early.length + after / late.length)
      : Math.sqrt(variance(early, before) + variance(late, after)) || high / 100;
  const clarity = (high - low) / deviation;
  return kind === "count" && clarity < DEVIATIONS ? undefined : clarity;
}

/** The mean of counts, or the median of levels. */
function levelOf(values: readonly number[], kind: Kind): number {
  if (kind === "level") return medianOf(values) ?? 0;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The lower of the middle values; `undefined` if there are none. */
export function medianOf(values: readonly number[]): number | undefined {
  return rankOf(values, 0.5);
}

/** A percentile by nearest rank, as the API computes it; `undefined` if there are no values. */
export function rankOf(values: readonly number[], share: number): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)];
}

function variance(values: readonly number[], around: number): number {
  return values.reduce((sum, value) => sum + (value - around) ** 2, 0) / values.length;
}

function orderedShare(early: readonly number[], late: readonly number[], rises: boolean): number {
  const ordered = early.flatMap((a) => late.filter((b) => (rises ? b > a : b < a)));
  return ordered.length / (early.length * late.length);
}
