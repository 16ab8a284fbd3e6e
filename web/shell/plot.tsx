import { useLayoutEffect, useRef } from "preact/hooks";
import uPlot, { type AlignedData } from "uplot";
import { localText } from "../text/instant-text.ts";
import { spanText } from "../text/span-text.ts";
import { tickText } from "./axis-ticks.ts";
import { colourOf } from "./colours.ts";
import { theme } from "./theme.ts";

export interface PlotProps {
  /** The text alternative. */
  readonly label: string;
  /** Seconds since 1970, then values. */
  readonly data: AlignedData;
  readonly name: string;
  /** A token of tokens.css. */
  readonly colour: string;
  /** Formats a value. @default a duration in seconds */
  readonly textOf?: (value: number) => string;
}

const HEIGHT = 220;

/**
 * A line over time. It is drawn again when the data, the width or the colours change; a plot has at most a thousand
 * points.
 */
export function Plot({ label, data, name, colour, textOf = spanOf }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    let plot = draw(current, data, { name, colour, textOf });
    let { clientWidth } = current;
    const observer = new ResizeObserver(() => {
      if (current.clientWidth === clientWidth) return;
      clientWidth = current.clientWidth;
      plot.destroy();
      plot = draw(current, data, { name, colour, textOf });
    });
    observer.observe(current);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, theme.value]);
  return <div ref={box} role="img" aria-label={label} />;
}

interface LineStyle {
  readonly name: string;
  readonly colour: string;
  readonly textOf: (value: number) => string;
}

function draw(box: HTMLElement, data: AlignedData, { name, colour, textOf }: LineStyle): uPlot {
  const line = { stroke: colourOf("line"), width: 1 };
  const axis = { stroke: colourOf("quiet"), grid: line, ticks: line, font: "11px system-ui, sans-serif" };
  const drawn = colourOf(colour);
  return new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT,
      series: [
        { label: "Run", value: (_, at: number | null) => (at === null ? "–" : localText(at * 1_000)) },
        {
          label: name,
          stroke: drawn,
          width: 1.5,
          points: { size: 5, fill: drawn },
          value: (_, value: number | null) => (value === null ? "–" : textOf(value)),
        },
      ],
      axes: [
        { ...axis, values: (_, ticks) => ticks.map((at) => tickText(at * 1_000).replace(/^\d{4}-/, "")) },
        { ...axis, size: 64, values: (_, ticks) => ticks.map(textOf) },
      ],
      scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
    },
    data,
    box,
  );
}

function spanOf(seconds: number): string {
  return spanText(seconds * 1_000);
}
