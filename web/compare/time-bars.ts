import type { ComparedFieldAnswer, ComparisonAnswer } from "../../src/explain/compare/comparison-document.ts";

/** A clock of two runs, in seconds. */
export interface TimeRow {
  readonly field: ComparedFieldAnswer;
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly differs: boolean;
}

/** The usual times of the series, of the clock *whole*. */
export type Usual = NonNullable<ComparisonAnswer["expected"]>;

export interface TimeBars {
  readonly rows: readonly TimeRow[];
  readonly usual: Usual | undefined;
  /** The end of the scale of all bars. */
  readonly longest: number;
}

/** The times of a comparison on one scale, in the order of the answer. Unknown ones have no bar. */
export function timeBars({ differences, equal, unknown, expected }: ComparisonAnswer): TimeBars {
  const marked = [
    ...differences.map((field) => ({ field, differs: true })),
    ...[...equal, ...unknown].map((field) => ({ field, differs: false })),
  ];
  const rows = CLOCKS.flatMap((clock) => marked.filter(({ field }) => field.kind === clock)).map(
    ({ field, differs }) => ({ field, differs, before: secondsOf(field.before), after: secondsOf(field.after) }),
  );
  const known = rows.flatMap(({ before = 0, after = 0 }) => [before, after]);
  return { rows, usual: expected, longest: Math.max(1, expected?.p90 ?? 0, ...known) };
}

const CLOCKS = ["waiting", "startUp", "attempt", "whole"] as const;

function secondsOf({ value }: ComparedFieldAnswer["before"]): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** A share of the scale, as SVG takes it. */
export function percentOf(seconds: number, longest: number): string {
  return `${Math.round((1_000 * seconds) / longest) / 10}%`;
}
