import type { Frame } from "./chart-frame.ts";
import { patternOf } from "./patterns.tsx";
import type { PictureData, Series } from "./picture-data.ts";

interface MarksProps {
  readonly data: PictureData;
  readonly frame: Frame;
}

/** One bar for each bucket, with a part for each series. */
export function Bars({ data: { buckets, series }, frame, id }: MarksProps & { readonly id: string }) {
  const width = Math.max(1, Math.min(48, frame.step * 0.72));
  return buckets.map(({ at, isCurrent }, index) => {
    let below = 0;
    const x = frame.left + (index + 0.5) * frame.step - width / 2;
    const parts = series.map(({ look, values }) => {
      const value = values[index] ?? 0;
      const [y, height] = [frame.yOf(below + value), frame.yOf(below) - frame.yOf(below + value)];
      below += value;
      if (value === 0) return null;
      const place = { x, y, width, height: Math.max(1, height) };
      const pattern = patternOf(look);
      return (
        <g key={look}>
          <rect class={`fill-${look}`} data-value={value} {...place} />
          {pattern === undefined ? null : <rect fill={`url(#${id}-${pattern})`} {...place} />}
        </g>
      );
    });
    return (
      <g key={at} class={isCurrent ? "bar current" : "bar"}>
        {parts}
      </g>
    );
  });
}

/** A line for each series. It has no part where a value is missing. */
export function Lines({ data: { buckets, series }, frame }: MarksProps) {
  const xOf = (index: number): number => frame.left + (index + 0.5) * frame.step;
  const isCurrent = (index: number): boolean => buckets[index]?.isCurrent === true;
  const labels = series.length > 1 ? endLabels(series, frame) : [];
  return series.map((one, position) => (
    <g key={one.look} class={`line-${one.look}`}>
      <path d={pathOf(one, xOf, frame)} />
      {one.values.map((value, index) =>
        value === undefined ? null : (
          <circle
            key={buckets[index]?.at}
            class={isCurrent(index) ? "current" : undefined}
            data-value={value}
            cx={xOf(index)}
            cy={frame.yOf(value)}
            r={2.5}
          />
        ),
      )}
      <EndLabel label={labels[position]} xOf={xOf} frame={frame} />
    </g>
  ));
}

function pathOf({ values }: Series, xOf: (index: number) => number, { yOf }: Frame): string {
  return values
    .map((value, index) => {
      if (value === undefined) return "";
      return `${values[index - 1] === undefined ? "M" : "L"}${xOf(index).toFixed(1)} ${yOf(value).toFixed(1)}`;
    })
    .join("");
}

interface Label {
  readonly text: string;
  readonly index: number;
  readonly y: number;
}

/** The least distance of two labels. */
const LINE = 11;

/** The names of the lines, at their last values. The highest line is last; a label that is too near moves down. */
function endLabels(series: readonly Series[], { yOf, top }: Frame): readonly (Label | undefined)[] {
  let next = top + LINE / 2;
  const fromAbove = series.toReversed().map(({ name, values }) => {
    const index = values.findLastIndex((value) => value !== undefined);
    const value = values[index];
    if (value === undefined) return undefined;
    const y = Math.max(yOf(value) + 4, next);
    next = y + LINE;
    return { text: name, index, y };
  });
  return fromAbove.toReversed();
}

interface EndLabelProps {
  readonly label: Label | undefined;
  readonly xOf: (index: number) => number;
  readonly frame: Frame;
}

function EndLabel({ label, xOf, frame }: EndLabelProps) {
  if (label === undefined) return null;
  return (
    <text x={Math.min(xOf(label.index) + 6, frame.right + 2)} y={label.y}>
      {label.text}
    </text>
  );
}
