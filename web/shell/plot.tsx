import { useLayoutEffect, useRef } from "preact/hooks";
import uPlot, { type AlignedData } from "uplot";
import { spanText } from "../text/span-text.ts";
import { colourOf } from "./colours.ts";
import { theme } from "./theme.ts";

export interface PlotProps {
  /** What is drawn, in words. */
  readonly label: string;
  readonly data: AlignedData;
  readonly series: readonly { readonly label: string; readonly colour: string }[];
}

const HEIGHT = 220;

/** Lines over time, spans of seconds upwards. Made anew when the data, the width or the colours change: a plot has a thousand points at most. */
export function Plot({ label, data, series }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    let plot = draw(current, data, series);
    let { clientWidth } = current;
    const observer = new ResizeObserver(() => {
      if (current.clientWidth === clientWidth) return;
      clientWidth = current.clientWidth;
      plot.destroy();
      plot = draw(current, data, series);
    });
    observer.observe(current);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, theme.value]);
  return <div ref={box} role="img" aria-label={label} />;
}

function draw(box: HTMLElement, data: AlignedData, series: PlotProps["series"]): uPlot {
  const axis = { stroke: colourOf("quiet"), grid: { stroke: colourOf("line") }, ticks: { stroke: colourOf("line") } };
  return new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT,
      series: [
        { value: "{YYYY}-{MM}-{DD} {HH}:{mm}" },
        ...series.map(({ label, colour }) => ({
          label,
          stroke: colourOf(colour),
          width: 1.5,
          points: { show: true, size: 5, fill: colourOf(colour) },
          value: (_: uPlot, seconds: number | null) => (seconds === null ? "–" : spanText(seconds * 1_000)),
        })),
      ],
      axes: [axis, { ...axis, size: 64, values: (_, ticks) => ticks.map((seconds) => spanText(seconds * 1_000)) }],
      scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
    },
    data,
    box,
  );
}
