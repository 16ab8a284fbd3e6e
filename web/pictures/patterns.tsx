import type { Look } from "./picture-data.ts";

/** Each part of a bar has a pattern too, so that no information is in the colour alone. */
const PATTERNS = ["rows", "columns", "dots", "grid", "sparse"] as const;
type Pattern = (typeof PATTERNS)[number];

const PATTERN_OF: Partial<Record<Look, Pattern>> = {
  interrupted: "columns",
  duplicate: "dots",
  idle: "grid",
  startUp: "rows",
  cancelled: "sparse",
};

/** `undefined` for a plain colour. */
export function patternOf(look: Look): Pattern | undefined {
  return PATTERN_OF[look];
}

/** The patterns of one chart. Diagonal lines always mean that nothing was observed. */
export function Patterns({ id }: { readonly id: string }) {
  return (
    <defs>
      <pattern id={`${id}-hatch`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="hatch" width="1.5" height="6" />
      </pattern>
      {PATTERNS.map((pattern) => (
        <pattern key={pattern} id={`${id}-${pattern}`} width="5" height="5" patternUnits="userSpaceOnUse">
          <path class={pattern === "dots" || pattern === "sparse" ? "cut dot" : "cut"} d={PATHS[pattern]} />
        </pattern>
      ))}
    </defs>
  );
}

const PATHS: Readonly<Record<Pattern, string>> = {
  rows: "M0 1H5",
  columns: "M1 0V5",
  dots: "M1 1h2.5v2.5h-2.5z",
  grid: "M0 1H5M1 0V5",
  sparse: "M2 2h1v1h-1z",
};
